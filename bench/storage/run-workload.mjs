// One subject keeps the whole workload, in a process of its own, which Linux tells how much it wrote.
import { readFileSync } from "node:fs";
import { answerParent, childInput } from "../lib/children.mjs";
import { createRandom } from "../lib/random.mjs";
import { syncs } from "./counted-syncs.mjs";
import { sizeOf, withFolder } from "./folders.mjs";
import { loadSubjects } from "./subjects/load.mjs";
import { makeOperation, play } from "./workload.mjs";

/**
 * @typedef {object} WorkloadFigures
 * @property {number} written Bytes handed to the system.
 * @property {number} most Bytes of all files, at most.
 * @property {number} end Bytes of all files after the last operation.
 * @property {number} settled Bytes of the text that stays.
 * @property {number} syncs
 * @property {number} commit µs of one, on average.
 * @property {number} [sidecarPeak]
 * @property {number} [main]
 */

/** @type {{ library: string, subject: string, seed: number, extent: import("./workload.mjs").Extent }}
 */
const { library, subject: name, seed, extent } = childInput();
const [subject] = await loadSubjects(library, [name]);
if (subject === undefined) throw new Error("no subject");

await withFolder(async (folder) => {
  const session = /** @type {import("./subjects/subject.mjs").Session & { usage?: () => Promise<any> }} */ (
    await subject.create(folder)
  );
  const random = createRandom(seed);
  const before = { written: writtenBytes(), syncs };
  let [commits, settled, most, spentMs] = [0, 0, 0, 0];
  let last = "";
  for (let count = 0; count < extent.operations; count += 1) {
    const look = () => (most = Math.max(most, sizeOf(folder)));
    const played = await play(session, makeOperation(random, extent), look);
    spentMs += played.spentMs;
    commits += played.commits;
    settled += played.settled.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    last = played.settled.at(-1) ?? "";
  }
  const written = writtenBytes() - before.written;
  const usage = await session.usage?.();
  await session.close();
  const again = await subject.open(folder);
  if ((await again.last()) !== last) throw new Error(`${name} did not keep the last output`);
  await again.close();
  const end = sizeOf(folder);
  answerParent({
    written,
    most: Math.max(most, end),
    end,
    settled,
    syncs: syncs - before.syncs,
    commit: (spentMs * 1_000) / commits,
    ...(usage === undefined ? {} : { sidecarPeak: usage.sidecarPeakBytes, main: usage.mainBytes }),
  });
});

function writtenBytes() {
  const [, bytes] = /^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "latin1")) ?? [];
  return Number(bytes);
}
