import { expect, test } from "vitest";
import { Pipe } from "../fixtures/pipe.js";
import { windowWith } from "../fixtures/window.js";
import { JsonLines } from "./json-lines.js";

const message = (seq: number, base = false): string =>
  JSON.stringify({ seq, ops: [base ? ["r", { seq }] : ["s", ["seq"], seq]] });
const window = windowWith({});

function parse(text: string): unknown[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

test("[R5] messages are lines of their own, as they were on the wire", async () => {
  const pipe = new Pipe();
  const lines = new JsonLines(pipe, () => undefined);

  lines.open("s_1", "op_1");
  lines.show(window, message(0, true));
  lines.show(window, message(1));
  await lines.finish();
  await lines.fail("internal", "it broke");

  expect(parse(pipe.read)).toEqual([
    { type: "open", session: "s_1", operation: "op_1" },
    { type: "batch", seq: 0, ops: [["r", { seq: 0 }]] },
    { type: "batch", seq: 1, ops: [["s", ["seq"], 1]] },
    { type: "error", code: "internal", message: "it broke" },
  ]);
});

test("[R5] [R9] a reader that is behind misses messages and gets a base", async () => {
  const pipe = new Pipe("on demand");
  let seq = 0;
  const lines: JsonLines = new JsonLines(pipe, () => lines.show(window, message(seq, true)));
  lines.show(window, message(seq, true));

  for (seq = 1; seq < 100; seq += 1) lines.show(window, message(seq));
  expect(pipe.waiting).toBeLessThan(100);
  await pipe.take();
  await pipe.take();
  lines.show(window, message(101));
  await pipe.take();

  expect(parse(pipe.read).map((line) => (line as { ops: unknown }).ops)).toEqual([
    [["r", { seq: 0 }]],
    [["r", { seq: 100 }]],
    [["s", ["seq"], 101]],
  ]);
});

test("[R5] [R9] a reader that is still behind at the end gets the last state", async () => {
  const pipe = new Pipe("on demand");
  const lines: JsonLines = new JsonLines(pipe, () => lines.show(window, message(2, true)));
  lines.show(window, message(0, true));
  lines.show(window, message(1));

  const finished = lines.finish();
  await pipe.take();
  await pipe.take();
  await pipe.take();
  await finished;

  expect(parse(pipe.read)).toHaveLength(2);
  expect(parse(pipe.read).at(-1)).toEqual({ type: "batch", seq: 2, ops: [["r", { seq: 2 }]] });
});
