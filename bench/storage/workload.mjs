import { randomInteger } from "../lib/random.mjs";
import { variedText } from "../lib/text.mjs";

/**
 * One operation of an agent: a message comes in pieces, then commands run side by side and their windows slide.
 *
 * @typedef {object} Operation
 * @property {readonly string[]} frames
 * @property {readonly Generator<import("./subjects/subject.mjs").Change>[]} tools
 *
 * @typedef {object} Extent
 * @property {number} operations
 * @property {number} frames
 * @property {number} tools
 * @property {number} checkpoints
 * @property {number} windowBytes
 * @property {number} slideBytes
 */

/** @type {Extent} */
export const FULL = { operations: 20, frames: 400, tools: 2, checkpoints: 60, windowBytes: 51_200, slideBytes: 1_000 };
/** A command that goes on and on. */
export const ENDLESS = { ...FULL, operations: 1, frames: 0, tools: 1, checkpoints: 20_000 };

/**
 * @param {import("../lib/random.mjs").Random} random
 * @param {Extent} extent
 * @returns {Operation}
 */
export function makeOperation(random, extent) {
  return {
    frames: Array.from({ length: extent.frames }, () => variedText(random, 10 + randomInteger(random, 30))),
    tools: Array.from({ length: extent.tools }, () => makeChanges(random, extent)),
  };
}

/**
 * @param {import("../lib/random.mjs").Random} random
 * @param {Extent} extent
 */
function* makeChanges(random, { checkpoints, windowBytes, slideBytes }) {
  let text = variedText(random, windowBytes);
  yield { dropped: 0, added: text, text };
  for (let count = 1; count < checkpoints; count += 1) {
    const added = variedText(random, slideBytes);
    text = `${text.slice(slideBytes)}${added}`;
    yield { dropped: slideBytes, added, text };
  }
}

/**
 * Has a session keep one operation from its first frame to its end.
 *
 * @param {import("./subjects/subject.mjs").Session} session
 * @param {Operation} operation
 * @returns {Promise<Played>}
 *
 * @typedef {object} Played
 * @property {number} commits
 * @property {number} spentMs In calls of the session.
 * @property {readonly string[]} settled What stays: the message and the outputs.
 */
export async function play(session, { frames, tools }, beforeSettling = () => {}) {
  let [commits, spentMs] = [0, 0];
  const timed = async (/** @type {() => Promise<unknown>} */ call) => {
    const start = performance.now();
    await call();
    spentMs += performance.now() - start;
    commits += 1;
  };
  for (const frame of frames) await timed(() => session.frame(frame));
  const message = frames.join("");
  if (frames.length > 0) await timed(() => session.endMessage(message));
  const outputs = tools.map(() => "");
  for (let isRunning = tools.length > 0; isRunning;) {
    isRunning = false;
    for (const [tool, changes] of tools.entries()) {
      const { value: change } = changes.next();
      if (change === undefined) continue;
      isRunning = true;
      outputs[tool] = change.text;
      await timed(() => session.checkpoint(tool, change));
    }
  }
  beforeSettling();
  await timed(() => session.settle(outputs));
  return { commits, spentMs, settled: [message, ...outputs] };
}
