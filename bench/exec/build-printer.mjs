// The command of the build cases: prints so many bytes, evenly over a time, in lines that differ or that hardly do. A line
// that differs says when it was printed; else only the first one does. Nothing but newlines needs escaping in JSON.
import { setTimeout as sleep } from "node:timers/promises";
import { timeMark } from "../lib/monotonic.mjs";
import { createRandom, randomInteger } from "../lib/random.mjs";
import { repetitiveText, variedText } from "../lib/text.mjs";

const [name = "", bytes = "0", milliseconds = "0"] = process.argv.slice(2);
const STEP_MS = 10;
const LEAST_LINE_BYTES = 40;

const random = createRandom(Number(bytes));
const isVaried = name === "build-varied";
const steps = Math.max(1, Math.floor(Number(milliseconds) / STEP_MS));
const start = performance.now();
let printed = 0;
for (let step = 0; step < steps; step += 1) {
  // Not in step with any timer on the way.
  const due = start + (step + random()) * STEP_MS;
  if (due > performance.now()) await sleep(due - performance.now());
  const wanted = Math.round((Number(bytes) * (step + 1)) / steps) - printed;
  if (wanted < LEAST_LINE_BYTES * 2 && step + 1 < steps) continue;
  const text = makeLines(wanted, step === 0);
  printed += text.length;
  process.stdout.write(text);
}

/**
 * @param {number} size
 * @param {boolean} isFirst
 */
function makeLines(size, isFirst) {
  if (!isVaried) return isFirst ? `${timeMark()}\n${repetitiveText(random, size)}` : repetitiveText(random, size);
  const lines = [];
  let length = 0;
  while (length < size) {
    const line = `${timeMark()} ${variedText(random, LEAST_LINE_BYTES + randomInteger(random, 80)).replaceAll(/[\n"]/g, " ")}\n`;
    length += line.length;
    lines.push(line);
  }
  return lines.join("");
}
