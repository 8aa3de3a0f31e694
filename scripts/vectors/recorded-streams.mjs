import { appendText, encoder, slideText, track } from "../../dist/delta/index.js";
import { clone } from "./outcome.mjs";
import { seededRandom } from "./seeded-random.mjs";

/** Streams that this package's tracker and encoder give for edits; what a consumer must hold comes of a plain twin. */
export function recordedStreams() {
  return [recordBuild(), recordJoin(), recordManyPaths(), ...[1, 2, 3].map(recordRandom)];
}

/** A tool's window that fills and slides, with totals. */
function recordBuild() {
  const edits = Array.from({ length: 12 }, (_, index) => (state) => {
    const line = `${index % 3 === 0 ? "\u{1F6E0}" : "cc"} -c src/${index}.c\n`;
    const [block] = state.content;
    if (index < 5) appendText(block, "text", line);
    else slideText(block, "text", block.text.indexOf("\n") + 1, line);
    if (index >= 5) state.truncation.totalLines = index + 1;
    if (index === 5) state.details.spillPath = "/spill/a.log";
    if (index === 11) state.content.push({ type: "text", text: "[5 of 12 lines]" });
  });
  return record("a window that fills and slides", newOutput(), edits);
}

const newOutput = () => ({ content: [{ type: "text", text: "" }], details: {}, truncation: { totalLines: 0 } });

/** The stream of one who joins in the middle: its own base, then the shared batches of an encoder that forgot. */
function recordJoin() {
  const tracker = track({ t: "", u: "", n: 0 });
  const shared = encoder();
  const edit = (count) => {
    tracker.state.t += `${count},`;
    tracker.state.u += "x";
    tracker.state.n = count;
    return tracker.flush();
  };
  shared.encode(tracker.flush());
  for (let count = 1; count < 4; count += 1) shared.encode(edit(count));
  shared.forget();
  const own = [["r", tracker.snapshot()]];
  const steps = [{ wire: own, batch: own, after: tracker.snapshot() }];
  for (let count = 4; count < 8; count += 1) {
    const batch = edit(count);
    steps.push({ wire: shared.encode(batch), batch, after: tracker.snapshot() });
  }
  return { name: "one who joins a shared stream", steps: clone(steps) };
}

/** More paths than a stream has ids, each written often enough to be given one. */
function recordManyPaths() {
  const cells = 1_100;
  const write = (round, isWritten) => (state) => {
    for (let cell = 0; cell < cells; cell += 1) if (isWritten(cell)) state[cell].n = round;
  };
  // The second round hands the ids out, the first of them twice; the third one uses some of either kind.
  const edits = [write(1, () => true), write(2, () => true), write(3, (cell) => cell % 17 === 0)];
  const start = Array.from({ length: cells }, () => ({ n: 0 }));
  const { name, steps } = record("more paths than there are ids", start, edits);
  const last = steps.length - 1;
  return {
    name,
    steps: steps.map(({ wire, batch, after }, index) => ({ wire, batch, ...(index === last && { after }) })),
  };
}

/** Keys, elements and texts in random order, with bases in between. */
function recordRandom(seed) {
  const start = { text: "start", list: [], object: {} };
  const edits = Array.from({ length: 25 }, () => editAtRandom);
  return record(`random edits ${seed}`, start, edits, { seed, rebaseEvery: 9 });
}

function editAtRandom(state, random) {
  const int = (below) => Math.floor(random() * below);
  const pick = (from) => from[int(from.length)];
  const word = () => pick(["a", "", "longer text ", "\u{1F98A}", "é", "\ud83e", "日本", "\n"]);
  for (let count = int(4); count > 0; count -= 1) {
    const kind = int(7);
    if (kind === 0) state.text += word();
    else if (kind === 1) state.text = state.text.slice(int(4)) + word();
    else if (kind === 2) state.list.push({ word: word(), at: [int(9)] });
    else if (kind === 3) state.list.splice(int(state.list.length + 1), int(2), word());
    else if (kind === 4) state.object[pick(["k", "l", "0", ""])] = pick([null, true, 1.5, { deep: [word()] }]);
    else if (kind === 5) delete state.object[pick(["k", "0", ""])];
    else if (state.list.length > 0) state.list[int(state.list.length)] = word();
  }
}

/** Makes each edit on a tracked state and, with the same chances, on a plain one. */
function record(name, start, edits, { seed = 0, rebaseEvery = Infinity } = {}) {
  const tracker = track(clone(start));
  const plain = clone(start);
  const stream = encoder();
  const chances = { tracked: seededRandom(seed), plain: seededRandom(seed) };
  const flush = () => {
    const batch = tracker.flush();
    return { wire: stream.encode(batch), batch, after: clone(plain) };
  };
  const steps = [flush()];
  for (const [index, edit] of edits.entries()) {
    edit(tracker.state, chances.tracked);
    edit(plain, chances.plain);
    if ((index + 1) % rebaseEvery === 0) tracker.rebase();
    steps.push(flush());
  }
  return { name, steps: clone(steps) };
}
