import { expect, test } from "vitest";
import { isBase } from "../../delta/index.js";
import { openSink } from "../fixtures/consumed-sink.js";
import { bytes, referenceWindow, splitLines } from "../fixtures/reference-window.js";

const usual = { retain: "tail", maxBytes: 51_200, maxLines: 2_000 } as const;

test("[T2] the first batch is a base batch with the initial state, later ones are deltas", () => {
  const { sink, batches } = openSink();

  sink.flush();
  sink.flush();
  sink.out.write("one\n");
  sink.out.details = { step: 1 };
  sink.flush();

  expect(batches).toEqual([
    [
      [
        "r",
        {
          content: [{ type: "text", text: "" }],
          details: {},
          terminate: false,
          truncation: {
            truncated: false,
            truncatedBy: null,
            totalLines: 0,
            totalBytes: 0,
            maxLines: 2_000,
            maxBytes: 51_200,
          },
        },
      ],
    ],
    [["a", ["content", 0, "text"], "one\n"]],
    [["s", ["details"], { step: 1 }]],
  ]);
});

test("[T2] what a call did not need is absent, and totals are stated once, at the end", () => {
  const { sink, batches } = openSink();

  sink.out.write("one\ntwo");
  sink.settle();

  expect(batches).toHaveLength(2);
  expect(batches[1]).toEqual([
    ["s", ["truncation", "totalLines"], 2],
    ["s", ["truncation", "totalBytes"], 7],
  ]);
  expect(Object.keys(sink.snapshot())).toEqual(["content", "details", "terminate", "truncation"]);
});

test("[T3] O09: a tool without a policy writes 2 MB in 100 pieces, and once by replace; both times the cap holds", () => {
  const pieces = Array.from({ length: 100 }, (_, index) => `${index} ${"ö".repeat(40)}\n`.repeat(242));
  const whole = pieces.join("");
  expect(bytes(whole)).toBeGreaterThan(2_000_000);
  const written = openSink();
  const replaced = openSink();

  for (const piece of pieces) {
    written.sink.out.write(piece);
    written.clock.advance(250);
    expect(bytes(written.text())).toBeLessThanOrEqual(51_200);
    expect(written.folded()).toEqual(written.sink.snapshot());
  }
  replaced.sink.out.replace(whole);

  for (const { sink, text } of [written, replaced]) {
    sink.settle();
    expect([text()]).toEqual(referenceWindow(whole, usual));
    expect(sink.snapshot().truncation).toMatchObject({
      truncated: true,
      truncatedBy: "bytes",
      totalLines: splitLines(whole).length,
      totalBytes: bytes(whole),
    });
  }
});

test.each(["head", "both"] as const)("[T3] retain %s holds for text that a tool writes", (retain) => {
  const limits = { retain, maxBytes: 400, maxLines: 30 };
  const { sink } = openSink(limits);
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}\n`);

  for (const line of lines) sink.out.write(line);
  sink.settle();

  const texts = sink
    .snapshot()
    .content.flatMap((block) => (block.type === "text" && !block.notice ? [block.text] : []));
  expect(texts).toEqual(referenceWindow(lines.join(""), limits));
  expect(sink.snapshot().truncation).toMatchObject({ truncated: true, totalLines: 200 });
});

test("[T3] X05: a configured cap is the one that holds, and is shown", () => {
  const { sink, text, notice } = openSink({ maxBytes: 150_000 });
  const whole = "sixty kilobytes\n".repeat(3_750).slice(0, 60_000);

  sink.out.write(whole.replaceAll("\n", " "));
  sink.settle();

  expect(text()).toHaveLength(60_000);
  expect(notice()).toBeUndefined();
  expect(sink.snapshot().truncation).toMatchObject({ truncated: false, maxBytes: 150_000, totalBytes: 60_000 });
});

test("[T3] totals move with each flush once something was cut", () => {
  const { sink, batches, clock } = openSink({ maxBytes: 40, maxLines: 3 });

  for (let index = 0; index < 6; index += 1) {
    sink.out.write(`line ${index}\n`);
    clock.advance(1_000);
  }

  const totals = batches.flatMap((batch) => batch.filter((op) => op[0] === "s" && op[1].at(-1) === "totalLines"));
  expect(totals.map((op) => op[2])).toEqual([4, 5, 6]);
});

test("[T3] a pair of surrogates that is split between two writes stays one character; a lone half becomes a mark", () => {
  const { sink, text } = openSink();

  sink.out.write("a\uD83E");
  sink.out.write("\uDD8Ab\uDD8A");
  sink.out.write("\uD83E");
  sink.settle();

  expect(text()).toBe("a🦊b\uFFFD\uFFFD");
});

test("[T3] a slide that a tool states is one drop and one append, and its totals count what was dropped", () => {
  const { sink, batches } = openSink();
  sink.out.write("one\ntwo\n");
  sink.flush();

  sink.out.slide(4, "three\n");
  sink.flush();
  sink.settle();

  expect(batches[1]?.slice(0, 2)).toEqual([
    ["t", ["content", 0, "text"], 4],
    ["a", ["content", 0, "text"], "three\n"],
  ]);
  expect(sink.snapshot().truncation).toMatchObject({ truncated: true, totalLines: 3, totalBytes: 14 });
  expect(sink.snapshot().content[1]).toMatchObject({ notice: true, text: expect.stringContaining("Lines 2-3 of 3") });
});

test("[T6] text of the tool's own goes out at once after quiet, then as its weight allows, the last by one timer", () => {
  const { sink, batches, clock } = openSink();

  sink.out.write("a".repeat(20_480));
  expect(batches).toHaveLength(1);
  sink.out.write("b");
  sink.out.write("c");
  clock.advance(199);
  expect(batches).toHaveLength(1);
  clock.advance(10);
  expect(batches).toHaveLength(2);
  expect(batches[1]).toEqual([["a", ["content", 0, "text"], "bc"]]);

  clock.advance(1_000);
  sink.out.write("d");
  expect(batches).toHaveLength(3);
});

test("[T6] details that a tool changes go out without a write", () => {
  const { sink, batches, clock } = openSink();
  sink.flush();

  sink.out.details = { files: [] as string[] };
  clock.advance(1_000);
  (sink.out.details as { files: string[] }).files.push("a.ts");
  clock.advance(1_000);

  expect(batches.slice(1)).toEqual([
    [["s", ["details"], { files: [] }]],
    [["p", ["details", "files"], 0, 0, ["a.ts"]]],
  ]);
});

test("[T6] what a tool does in an env's update goes out with that update, in one batch, also after quiet", () => {
  const { sink, batches, clock } = openSink();
  const truncation = { ...sink.snapshot().truncation, totalLines: 1, totalBytes: 6 };
  sink.flush();
  clock.advance(10_000);

  sink.captured({ metadata: { truncation }, slide: { drop: 0, text: "first\n" } });
  sink.out.write("first\n");
  sink.out.usage({ inputTokens: 1 });
  sink.flush();

  expect(batches.slice(1)).toEqual([
    expect.arrayContaining([
      ["a", ["content", 0, "text"], "first\n"],
      ["s", ["usage"], { inputTokens: 1 }],
    ]),
  ]);
});

test("[T3] the open line that is shown is at most 4 KiB, cut between characters", () => {
  const { sink } = openSink();

  sink.captured({ metadata: { truncation: sink.snapshot().truncation, progress: `${"p".repeat(4_094)}🦊` } });
  sink.flush();

  expect(sink.snapshot().progress).toBe("p".repeat(4_094));
});

test("[T6] settling flushes whatever the pace, and nothing follows", () => {
  const { sink, batches, clock, folded } = openSink();
  sink.out.write("first\n");
  sink.out.write("last\n");

  sink.settle();
  const count = batches.length;
  clock.advance(10_000);

  expect(batches).toHaveLength(count);
  expect(batches.slice(1).some(isBase)).toBe(false);
  expect(folded()).toEqual(sink.snapshot());
});

test("[T1] after the call has settled every method does nothing, and held details are nobody's", () => {
  const { sink, batches } = openSink();
  sink.out.details = { kept: true };
  const held = sink.out.details as { kept: boolean };
  sink.settle();
  const before = sink.snapshot();
  const count = batches.length;

  const { out } = sink;
  out.write("x");
  out.replace("x");
  out.slide(99, "x");
  out.capture({ truncation: before.truncation, progress: "x" });
  out.image({ type: "image", mediaType: "nonsense", data: "" });
  out.notice("x");
  out.usage({ inputTokens: -1 });
  out.addTools(["no such name!"]);
  out.terminate();
  out.details = { kept: false };
  held.kept = false;
  (out.details as { kept: boolean }).kept = false;
  sink.captured({ metadata: { truncation: before.truncation } });
  sink.captureSettled({ metadata: { truncation: before.truncation }, remarks: ["x"] });
  sink.flush();

  expect(sink.settle(new Error("late"))).toBeUndefined();
  expect(sink.snapshot()).toEqual(before);
  expect(batches).toHaveLength(count);
});

test("[T1] what is no text is refused with a coded error", () => {
  const { sink, text } = openSink();

  sink.out.write("kept\n");
  expect(() => sink.out.write(7 as unknown as string)).toThrow(expect.objectContaining({ code: "invalid_argument" }));

  expect(text()).toBe("kept\n");
});

test("[T2] usage adds up, added tools are kept once each, and ending the operation is a flag", () => {
  const { sink } = openSink();

  sink.out.usage({ inputTokens: 3, costUsd: 0.5 });
  sink.out.usage({ inputTokens: 4, outputTokens: 1 });
  sink.out.addTools(["search", "fetch"]);
  sink.out.addTools(["fetch", "read"]);
  sink.out.terminate();

  expect(sink.snapshot()).toMatchObject({
    usage: { inputTokens: 7, outputTokens: 1, costUsd: 0.5 },
    addedTools: ["search", "fetch", "read"],
    terminate: true,
  });
});
