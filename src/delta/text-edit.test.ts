import { expect, test } from "vitest";
import { apply, appendText, DeltaError, slideText, track } from "./index.js";
import type { Batch, Tracker } from "./index.js";

interface Output {
  content: { text: string; label?: string }[];
  lines: string[];
}

function started(text: string): Tracker<Output> {
  const tracker = track<Output>({ content: [{ text }], lines: [text] });
  tracker.flush();
  return tracker;
}

const path = ["content", 0, "text"] as const;

function block(tracker: Tracker<Output>): { text: string; label?: string } {
  const first = tracker.state.content[0];
  if (first === undefined) throw new Error("the test's state has one block");
  return first;
}

test("[D14] appending is told as it was stated", () => {
  const tracker = started("old");
  appendText(block(tracker), "text", " one");
  appendText(block(tracker), "text", " two");
  expect(tracker.flush()).toEqual([["a", path, " one two"]]);
  expect(block(tracker).text).toBe("old one two");
});

test("[D14] sliding is told as it was stated, in any number of steps", () => {
  const tracker = started("abcdef");
  slideText(block(tracker), "text", 2, "g");
  slideText(block(tracker), "text", 1, "hi");
  expect(tracker.flush()).toEqual([
    ["t", path, 3],
    ["a", path, "ghi"],
  ]);
  expect(block(tracker).text).toBe("defghi");
});

test("[D14] an element of an array is text too", () => {
  const tracker = started("abc");
  slideText(tracker.state.lines, 0, 1, "d");
  tracker.state.lines.unshift("first");
  expect(tracker.flush()).toEqual([
    ["p", ["lines"], 0, 0, ["first"]],
    ["t", ["lines", 1], 1],
    ["a", ["lines", 1], "d"],
  ]);
});

test("[D14] sliding past all of the old text is told as the new text alone", () => {
  const tracker = started("abc");
  slideText(block(tracker), "text", 2, "def");
  slideText(block(tracker), "text", 3, "");
  expect(tracker.flush()).toEqual([["s", path, "f"]]);
  slideText(block(tracker), "text", 1, "");
  expect(tracker.flush()).toEqual([["s", path, ""]]);
  slideText(block(tracker), "text", 0, "new");
  expect(tracker.flush()).toEqual([["a", path, "new"]]);
});

test("[D14] an edit that changes nothing is told as nothing", () => {
  const tracker = started("abc");
  appendText(block(tracker), "text", "");
  slideText(block(tracker), "text", 0, "");
  expect(tracker.dirty).toBe(false);
  expect(tracker.flush()).toEqual([]);
});

test("[D14] stated and plain edits mix on one text", () => {
  const tracker = started("start ");
  appendText(block(tracker), "text", "stated ");
  block(tracker).text += "plain ";
  slideText(block(tracker), "text", 6, "stated");
  expect(block(tracker).text).toBe("stated plain stated");
  expect(apply({ content: [{ text: "start " }] }, tracker.flush())).toEqual({
    content: [{ text: "stated plain stated" }],
  });
  appendText(block(tracker), "text", "!");
  expect(tracker.flush()).toEqual([["a", path, "!"]]);
  appendText(block(tracker), "text", "?");
  block(tracker).text = "stated plain stated!";
  expect(tracker.flush()).toEqual([]);
});

test("[D14] a text that came in the same flush is told once, whole", () => {
  const tracker = started("");
  block(tracker).label = "a";
  appendText(block(tracker), "label", "b");
  tracker.state.content.push({ text: "c" });
  appendText(tracker.state.content[1] ?? { text: "" }, "text", "d");
  expect(tracker.flush()).toEqual([
    ["p", ["content"], 1, 0, [{ text: "cd" }]],
    ["s", ["content", 0, "label"], "ab"],
  ]);
});

test("[D14] edits of a text whose parent is gone are not told", () => {
  const tracker = started("abc");
  const gone = block(tracker);
  appendText(gone, "text", "d");
  tracker.state.content = [{ text: "new" }];
  appendText(gone, "text", "e");
  expect(gone.text).toBe("abcde");
  expect(tracker.flush()).toEqual([["s", ["content"], [{ text: "new" }]]]);
});

test("[D14] edits before the base batch are part of it", () => {
  const tracker = started("abc");
  tracker.rebase();
  slideText(block(tracker), "text", 1, "d");
  expect(tracker.flush()).toEqual([["r", { content: [{ text: "bcd" }], lines: ["abc"] }]]);
  expect(tracker.flush()).toEqual([]);
});

test("[D14] plain values take the same edits", () => {
  const value = { text: "abc", list: ["x"] };
  appendText(value, "text", "d");
  slideText(value, "text", 2, "e");
  slideText(value.list, 0, 1, "y");
  expect(value).toEqual({ text: "cde", list: ["y"] });
});

test.each<[code: string, edit: (value: Record<string, string>) => void]>([
  ["out_of_range", (value) => slideText(value, "text", 4, "")],
  ["bad_count", (value) => slideText(value, "text", -1, "")],
  ["bad_count", (value) => slideText(value, "text", 0.5, "")],
  ["not_text", (value) => appendText(value, "text", 1 as never)],
  ["not_text", (value) => slideText(value, "text", 0, undefined as never)],
  ["missing_target", (value) => appendText(value, "none", "x")],
  ["missing_target", (value) => appendText(value, "toString", "x")],
  ["wrong_target", (value) => appendText(value, "number", "x")],
  ["wrong_target", () => appendText("text" as never, "length" as never, "x")],
])("[D14] a wrong edit is refused with %s and changes nothing, tracked or plain", (code, edit) => {
  const value = { text: "abc", number: 1 as never as string };
  const tracker = track<Record<string, string>>(value);
  tracker.flush();
  expect(() => edit(value)).toThrow(expect.objectContaining({ code }));
  expect(() => edit(tracker.state)).toThrow(expect.objectContaining({ code }));
  expect(value).toEqual({ text: "abc", number: 1 });
  expect(tracker.flush()).toEqual([]);
});

const foxes = "ab\u{1F98A}cd\u{1F98A}";

test.each([
  ["plain", () => ({ text: foxes })],
  ["tracked", () => track({ text: foxes }).state],
])("[D3] a cut inside a surrogate pair is refused, at every offset of %s text (O12)", (_name, make) => {
  const outcomes = Array.from({ length: foxes.length + 1 }, (_, drop) => cut(make(), drop));
  const [fox, cdFox] = ["\u{1F98A}", "cd\u{1F98A}"];
  expect(outcomes).toEqual([foxes, `b${fox}${cdFox}`, fox + cdFox, foxes, cdFox, `d${fox}`, fox, foxes, ""]);
});

/** The text after a cut that may be refused. */
function cut(parent: { text: string }, drop: number): string {
  try {
    slideText(parent, "text", drop, "");
  } catch (error) {
    if (!(error instanceof DeltaError) || error.code !== "split_character") throw error;
  }
  return parent.text;
}

test("[D3] a pair made of two appended halves is one character from then on", () => {
  const tracker = started("a\ud83e");
  appendText(block(tracker), "text", "\udd8ab");
  expect(() => slideText(block(tracker), "text", 2, "")).toThrow(expect.objectContaining({ code: "split_character" }));
  slideText(block(tracker), "text", 3, "");
  expect(block(tracker).text).toBe("b");
  expect(tracker.flush()).toEqual([["s", path, "b"]]);
});

test("[D14] apply on tracked state states its edits", () => {
  const upstream = started("x".repeat(100));
  const facet = track<{ tool: { output?: Output } }>({ tool: {} });
  facet.state.tool.output = apply(facet.state.tool.output, [["r", upstream.snapshot() as never]]);
  facet.flush();
  const line = "  CC      common.o\n";
  const batch: Batch = [
    ["t", path, 50],
    ["a", path, line],
    ["s", ["lines", 0], "new"],
  ];
  facet.state.tool.output = apply(facet.state.tool.output, batch);
  expect(facet.flush()).toEqual(
    [
      ["s", ["tool", "output", "lines", 0], "new"],
      ["t", ["tool", "output", ...path], 50],
      ["a", ["tool", "output", ...path], line],
    ].sort((a, b) => order(a) - order(b)),
  );
});

/** Text ops come first: the order in which the parts of the output were first touched. */
function order(op: unknown[]): number {
  return op[0] === "s" ? 1 : 0;
}

test("[D14] ops folded under a second tracker cost the same, for repetitive text too", () => {
  const line = "  CC      drivers/net/ethernet/common.o\n";
  const tool = started(line.repeat(1_000));
  const facet = track({ tool: { output: tool.snapshot() } });
  facet.flush();
  for (let count = 0; count < 20; count += 1) {
    slideText(block(tool), "text", line.length * 200, line.repeat(200));
    const batch = tool.flush();
    facet.state.tool.output = apply(facet.state.tool.output, batch);
    const folded = facet.flush();
    expect(JSON.stringify(folded).length).toBe(JSON.stringify(batch).length + 2 * '"tool","output",'.length);
  }
  expect(facet.snapshot().tool.output).toEqual(tool.snapshot());
});

test("[D11] a batch refused on tracked state leaves value, edits and flush as they were", () => {
  const tracker = started("abc");
  appendText(block(tracker), "text", "d");
  block(tracker).label = "x";
  const held = block(tracker);
  const batch: Batch = [
    ["a", path, "e"],
    ["t", path, 4],
    ["a", ["lines", 0], "f"],
    ["s", ["lines", 1], "g"],
    ["p", ["lines"], 0, 1, ["h", "i"]],
    ["p", ["content"], 0, 0, [{ text: "new" }]],
    ["d", ["content", 1, "label"]],
    ["s", ["content", 0], { text: "other" }],
    ["s", ["content"], []],
    ["d", ["lines"]],
    ["d", ["lines"]],
  ];
  expect(() => apply(tracker.state, batch)).toThrow(expect.objectContaining({ code: "missing_target", index: 10 }));
  expect(tracker.state).toEqual({ content: [{ text: "abcd", label: "x" }], lines: ["abc"] });
  expect(block(tracker)).toBe(held);
  held.text += "!";
  expect(tracker.flush()).toEqual([
    ["s", ["content", 0, "label"], "x"],
    ["a", path, "d!"],
  ]);
});

test("[D3] an op that cuts inside a pair is folded, but never told on", () => {
  const tracker = started("\u{1F98A}abc");
  apply(tracker.state, [["t", path, 1]]);
  expect(block(tracker).text).toBe("\udd8aabc");
  expect(tracker.flush()).toEqual([["s", path, "\udd8aabc"]]);
});

test("[D11] what a refused batch overwrote keeps its stated edits", () => {
  const tracker = started("abc");
  appendText(block(tracker), "text", "d");
  appendText(tracker.state.lines, 0, "e");
  const batch: Batch = [
    ["s", path, "other"],
    ["s", ["lines", 0], "other"],
    ["p", ["lines"], 0, 1, []],
    ["p", ["content"], 0, 1, []],
    ["d", ["none"]],
  ];
  expect(() => apply(tracker.state, batch)).toThrow(expect.objectContaining({ index: 4 }));
  expect(tracker.flush()).toEqual([
    ["a", path, "d"],
    ["a", ["lines", 0], "e"],
  ]);
});
