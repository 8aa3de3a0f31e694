import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { pathToFileURL } from "node:url";

const ROUNDS_PER_LINE = 40;
const EDITS_PER_ROUND = 60;

/**
 * Tests the delta layer that was just emitted: random edits of a tracked value, sent over the codec, must give the same
 * value at the other end. Goes on for `durationMs`, tells of every group of rounds, and gives the number of failures.
 */
export async function soakDelta(module, durationMs, reporter) {
  const delta = await import(pathToFileURL(module).href);
  const end = performance.now() + durationMs;
  let failures = 0;
  for (let group = 0; performance.now() < end; group += 1) {
    const seed = (Date.now() ^ Math.imul(group, 0x9e3779b1)) >>> 0;
    const random = mulberry32(seed);
    let bytes = 0;
    let batches = 0;
    for (let round = 0; round < ROUNDS_PER_LINE; round += 1) {
      const result = replicate(delta, random);
      bytes += result.bytes;
      batches += result.batches;
      if (result.same) continue;
      failures += 1;
      reporter.warn(`soak: the copy differs in round ${round} of seed ${seed}`);
    }
    reporter.progress(Math.round(durationMs - (end - performance.now())), Math.round(durationMs), "ms of soak");
    reporter.line(`soak ${group}: seed ${seed}, ${ROUNDS_PER_LINE} rounds, ${batches} batches, ${bytes} bytes`);
    await nextTurn();
  }
  return failures;
}

function replicate({ apply, decoder, encoder, track }, random) {
  const tracker = track({ log: "", items: [], fields: {} });
  const [encode, decode] = [encoder(), decoder()];
  let copy;
  let bytes = 0;
  let batches = 0;
  for (let edit = 0; edit < EDITS_PER_ROUND; edit += 1) {
    editState(tracker.state, random, edit);
    if (random() < 0.6) continue;
    const wire = JSON.stringify(encode.encode(tracker.flush()));
    copy = apply(copy, decode.decode(JSON.parse(wire)));
    bytes += wire.length;
    batches += 1;
  }
  copy = apply(copy, decode.decode(JSON.parse(JSON.stringify(encode.encode(tracker.flush())))));
  return { same: isDeepStrictEqual(copy, tracker.snapshot()), bytes, batches };
}

function editState(state, random, edit) {
  const pick = (count) => Math.floor(random() * count);
  switch (pick(6)) {
    case 0:
      state.log += `cc -c src/${edit}.c -O${pick(4)} # ${"é😀".repeat(pick(4))}\n`;
      return;
    case 1:
      state.log = state.log.slice(pick(state.log.length + 1)).replace(/^[\udc00-\udfff]/, "");
      return;
    case 2:
      state.items.push({ id: edit, at: random(), tags: ["built", String(pick(9))] });
      return;
    case 3:
      state.items.splice(pick(state.items.length + 1), pick(3), { id: -edit, at: 0, tags: [] });
      return;
    case 4:
      state.fields[`f${pick(8)}`] = pick(2) === 0 ? { depth: { value: edit } } : [edit, null, true];
      return;
    default:
      delete state.fields[`f${pick(8)}`];
  }
}

/** A small generator whose whole state is its seed, so that a failure can be repeated. */
function mulberry32(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
