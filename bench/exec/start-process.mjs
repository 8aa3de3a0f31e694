// Subjects that can share a process run a command that does nothing, by turns.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerParent, childInput } from "../lib/children.mjs";
import { quantile } from "../lib/statistics.mjs";
import { findSubject } from "./subjects/index.mjs";

/** @type {{ subjects: readonly string[], command: string, calls: number }} */
const { subjects: names, command, calls } = childInput();
const folder = mkdtempSync(join(tmpdir(), "spillway-bench-"));
/** @type {{ name: string, subject: import("./subjects/index.mjs").Subject, times: number[] }[]} */
const racers = [];
for (const name of names) racers.push({ name, subject: await findSubject(name).open(folder), times: [] });
const WARM_UP = 10;
for (let call = -WARM_UP; call < calls; call += 1) {
  for (let turn = 0; turn < racers.length; turn += 1) {
    const racer = racers[(turn + call + WARM_UP) % racers.length];
    const start = performance.now();
    await racer?.subject.run(command, () => undefined);
    if (call >= 0) racer?.times.push(performance.now() - start);
  }
}
for (const { subject } of racers) await subject.close();
rmSync(folder, { recursive: true, force: true });
answerParent(
  Object.fromEntries(
    racers.map(({ name, times }) => [name, { call: quantile(times, 0.5), callP99: quantile(times, 0.99) }]),
  ),
);
