// The command of the line cases: prints lines that say when they were printed.
import { setTimeout as sleep } from "node:timers/promises";
import { timeMark } from "../lib/monotonic.mjs";
import { createRandom } from "../lib/random.mjs";
import { variedText } from "../lib/text.mjs";

const [lines = "0", everyMs = "0"] = process.argv.slice(2);
const random = createRandom(Number(lines));
for (let number = 0; number < Number(lines); number += 1) {
  // Not in step with any timer on the way.
  await sleep(Number(everyMs) * (0.5 + random()));
  const text = variedText(random, 60).replaceAll("\n", " ");
  process.stdout.write(`${timeMark()} ${text}\n`);
}
