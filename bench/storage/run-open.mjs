// A long session is made by one process and opened by this one.
import { setImmediate } from "node:timers/promises";
import { answerParent, childInput } from "../lib/children.mjs";
import { createRandom } from "../lib/random.mjs";
import { variedText } from "../lib/text.mjs";
import { sizeOf, withFolder } from "./folders.mjs";
import { loadSubjects } from "./subjects/load.mjs";

/** @type {{ library: string, subject: string, records: number, recordBytes: number, rounds: number }} */
const { library, subject: name, records, recordBytes, rounds } = childInput();
const [subject] = await loadSubjects(library, [name]);
if (subject === undefined) throw new Error("no subject");

await withFolder(async (folder) => {
  const random = createRandom(1);
  let last = "";
  await subject.fill(folder, makeTexts());
  const bytes = sizeOf(folder);
  const figures = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await countUsedBytes();
    const start = performance.now();
    const session = /** @type {import("./subjects/subject.mjs").Session & { recover?: () => Promise<string> }} */ (
      await subject.open(folder)
    );
    const openMs = performance.now() - start;
    if ((await session.last()) !== last) throw new Error(`${name} has lost the last record`);
    const restart = performance.now();
    await session.recover?.();
    const recoverMs = performance.now() - restart;
    figures.push({
      open: openMs,
      recover: session.recover === undefined ? null : recoverMs,
      memory: (await countUsedBytes()) - before,
    });
    await session.close();
  }
  answerParent({ bytes, figures });

  function* makeTexts() {
    for (let count = 0; count < records; count += 1) yield (last = variedText(random, recordBytes));
  }
});

/** What is reachable, in the heap and beside it. What lies beside it goes some turns after what refers to it. */
async function countUsedBytes() {
  for (let count = 0; count < 3; count += 1) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}
