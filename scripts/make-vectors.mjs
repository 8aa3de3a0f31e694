// Writes spec/vectors: cases that any consumer, in any language, must pass. What a case ends with is written beside it or
// comes of plain mutation; a case that this package's own consumer does not pass is refused, so it never reaches a file.
//
//   npm run build && node scripts/make-vectors.mjs [FOLDER]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkEvents } from "./vectors/check-events.mjs";
import { checkMessages } from "./vectors/check-messages.mjs";
import { checkOps } from "./vectors/check-ops.mjs";
import { checkStream } from "./vectors/check-stream.mjs";
import { events } from "./vectors/events.mjs";
import { keys } from "./vectors/keys.mjs";
import { limits } from "./vectors/limits.mjs";
import { malformedOps } from "./vectors/malformed-ops.mjs";
import { malformedWire } from "./vectors/malformed-wire.mjs";
import { messages } from "./vectors/messages.mjs";
import { numbers } from "./vectors/numbers.mjs";
import { ops } from "./vectors/ops.mjs";
import { recordedStreams } from "./vectors/recorded-streams.mjs";
import { streams } from "./vectors/streams.mjs";
import { text } from "./vectors/text.mjs";
import { unfitOps } from "./vectors/unfit-ops.mjs";

const files = [
  { name: "ops/verbs", cases: ops, check: checkOps },
  { name: "ops/text", cases: text, check: checkOps },
  { name: "ops/numbers", cases: numbers, check: checkOps },
  { name: "ops/keys", cases: keys, check: checkOps },
  { name: "ops/limits", cases: limits, check: checkOps },
  { name: "ops/malformed", cases: malformedOps, check: checkOps },
  { name: "ops/unfit", cases: unfitOps, check: checkOps },
  { name: "streams/written", cases: streams, check: checkStream },
  { name: "streams/recorded", cases: recordedStreams(), check: checkStream },
  { name: "streams/malformed", cases: malformedWire, check: checkStream },
  { name: "consumer/messages", cases: messages, check: checkMessages },
  { name: "consumer/events", cases: events, check: checkEvents },
];

const folder = process.argv[2] ?? fileURLToPath(new URL("../spec/vectors/", import.meta.url));
const written = files.map(({ name, cases, check }) => {
  for (const one of cases) telling(`${name}: ${one.name}`, () => check(one));
  return { path: join(folder, `${name}.json`), text: toText(cases) };
});
for (const { path, text } of written) {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
}

/** One case a line, so that a change of one is a change of one line. */
function toText(cases) {
  return `[\n${cases.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`;
}

function telling(place, check) {
  try {
    check();
  } catch (cause) {
    throw new Error(`this package does not pass ${place}`, { cause });
  }
}
