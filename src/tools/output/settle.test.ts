import { expect, test } from "vitest";
import { openSink } from "../fixtures/consumed-sink.js";
import type { ToolOutputState } from "../../protocol/index.js";

const seed: ToolOutputState = {
  content: [{ type: "text", text: "one\ntwo\n" }],
  details: { spillPath: "/spill/x.log" },
  terminate: false,
  truncation: { truncated: false, truncatedBy: null, totalLines: 0, totalBytes: 0, maxLines: 2_000, maxBytes: 51_200 },
  progress: "thr",
};

test("[T4] O30: an error keeps what was written and is said in the notice, whatever ends the operation", () => {
  const { sink, text, notice } = openSink();

  sink.out.write("keep-me\n");
  sink.out.terminate();
  const error = new Error("Command timed out after 1 s");

  expect(sink.settle(error)).toBe(error);
  expect(text()).toBe("keep-me\n");
  expect(notice()).toBe("Command timed out after 1 s");
  expect(sink.snapshot().terminate).toBe(true);
});

test.each([
  [new Error(""), "Error"],
  ["plain words", "plain words"],
  [{ odd: true }, "The tool failed without saying why."],
  [null, "The tool failed without saying why."],
])("[T4] whatever is thrown, the notice says something: %s", (thrown, said) => {
  const { sink, notice } = openSink();

  sink.settle(thrown);

  expect(notice()).toBe(said);
});

test("[T4] a call that fails before it wrote has an empty text and a notice", () => {
  const { sink } = openSink();

  sink.settle(new Error("no such folder"));

  expect(sink.snapshot().content).toEqual([
    { type: "text", text: "" },
    { type: "text", text: "no such folder", notice: true },
  ]);
});

test("[T4] the line that an interrupted execution had not ended joins the text", () => {
  const { sink, text } = openSink();
  const truncation = { ...seed.truncation, totalLines: 2, totalBytes: 9 };
  sink.captured({ metadata: { truncation, progress: "half" }, slide: { drop: 0, text: "done\n" } });
  sink.out.write("done\n");
  sink.flush();
  expect(sink.snapshot().progress).toBe("half");

  sink.settle(new Error("aborted"));

  expect(text()).toBe("done\nhalf");
  expect(sink.snapshot()).not.toHaveProperty("progress");
  expect(sink.snapshot().truncation).toMatchObject({ totalLines: 2, totalBytes: 9 });
});

test("[T2] a seeded sink begins with a base batch of what was there and ends with exact totals", () => {
  const { sink, batches, text } = openSink(undefined, seed);

  sink.flush();
  const { progress: _progress, ...rest } = seed;
  expect(batches).toEqual([[["r", { ...rest, content: [{ type: "text", text: "one\ntwo\nthr" }] }]]]);
  sink.settle(new Error("interrupted"));

  expect(text()).toBe("one\ntwo\nthr");
  expect(sink.snapshot()).toMatchObject({
    details: { spillPath: "/spill/x.log" },
    truncation: { truncated: false, totalLines: 3, totalBytes: 11 },
  });
});

test("[T2] a seed that had its notice already keeps it once, before what is said now", () => {
  const first = openSink({ maxBytes: 40, maxLines: 3 });
  for (let index = 0; index < 9; index += 1) first.sink.out.write(`line ${index}\n`);
  first.sink.settle();
  const before = first.notice();

  const { sink, notice, text } = openSink({ maxBytes: 40, maxLines: 3 }, first.sink.snapshot());
  sink.settle(new Error("interrupted"));

  expect(before).toContain("Lines 7-9 of 9");
  expect(notice()).toBe(`${before}\ninterrupted`);
  expect(text()).toBe(first.text());
});

test("[T2] a replay that states its text anew on a seeded sink gives totals of the new text alone", () => {
  const { sink, text } = openSink(undefined, { ...seed, truncation: { ...seed.truncation, totalBytes: 900_000 } });

  sink.out.replace("again\n");
  sink.settle();

  expect(text()).toBe("again\n");
  expect(sink.snapshot().truncation).toMatchObject({ truncated: false, totalLines: 1, totalBytes: 6 });
});
