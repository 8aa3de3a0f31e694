import { expect, test } from "vitest";
import { apply, appendText, assertWireOps, decoder, encoder, isBase, MAX_PATH_IDS, slideText, track } from "./index.js";
import type { Batch, Json, Op, WireBatch } from "./index.js";

const text = ["content", 0, "text"] as const;

test("[D9] a path is named on its second use, then by its id, and left out where it repeats", () => {
  const { encode } = boundEncoder();
  expect(encode([["r", { content: [{ text: "" }] }]])).toEqual([["r", { content: [{ text: "" }] }]]);
  expect(encode([["a", text, "one"]])).toEqual([["a", text, "one"]]);
  expect(encode([["a", text, "two"]])).toEqual([
    ["#", 0, text],
    ["a", 0, "two"],
  ]);
  expect(
    encode([
      ["t", text, 3],
      ["a", text, "three"],
      ["s", ["n"], 1],
    ]),
  ).toEqual([
    ["t", 0, 3],
    ["a", "three"],
    ["s", ["n"], 1],
  ]);
});

test("[D9] each of several paths goes by its id from its third use on", () => {
  const { encode } = boundEncoder();
  const batch = Array.from("abcdef", (key): Op => ["s", [key], 0]);
  expect(encode(batch)).toEqual(batch);
  expect(encode(batch).filter(([verb]) => verb === "#")).toHaveLength(batch.length);
  expect(encode(batch)).toEqual(batch.map((_, id) => ["s", id, 0]));
});

test("[D9] every verb may leave its path out", () => {
  const batch: Batch = [
    ["s", ["x"], []],
    ["p", ["x"], 0, 0, ["b"]],
    ["s", ["x"], "text"],
    ["a", ["x"], "!"],
    ["t", ["x"], 1],
    ["d", ["x"]],
    ["p", [], 0, 0, []],
    ["p", [], 0, 0, []],
  ];
  const wire = encoder().encode(batch);
  expect(wire).toEqual([
    ["s", ["x"], []],
    ["p", 0, 0, ["b"]],
    ["s", "text"],
    ["a", "!"],
    ["t", 1],
    ["d"],
    ["p", [], 0, 0, []],
    ["p", 0, 0, []],
  ]);
  expect(decoder().decode(JSON.parse(JSON.stringify(wire)))).toEqual(batch);
});

test("[D9] an index and a key that look alike are two paths", () => {
  const { encode } = boundEncoder();
  const wire = [encode([["s", ["a", 1], 0]]), encode([["s", ["a", "1"], 0]]), encode([["s", ["a,1"], 0]])];
  expect(wire.flat().map(([verb]) => verb)).toEqual(["s", "s", "s"]);
});

test("[D9] a base batch begins both tables anew", () => {
  const { encode } = boundEncoder();
  const { decode } = boundDecoder();
  decode(encode([["a", text, "1"]]));
  decode(encode([["a", text, "2"]]));
  expect(
    decode(
      encode([
        ["r", {}],
        ["a", text, "3"],
      ]),
    ),
  ).toEqual([
    ["r", {}],
    ["a", text, "3"],
  ]);
  expect(() => decode([["a", 0, "4"]])).toThrow(expect.objectContaining({ code: "unknown_path_id", index: 0 }));
  expect(decode(encode([["a", text, "5"]]))).toEqual([["a", text, "5"]]);
  encode([["r", {}]]);
  expect(encode([["a", text, "6"]])).toEqual([["a", text, "6"]]);
});

test("[D9] a decoder that joins late understands a stream whose encoder forgot", () => {
  const tracker = track({ content: [{ text: "" }], n: 0 });
  const shared = encoder();
  const early = subscriber();
  early.receive(shared.encode(tracker.flush()));
  const subscribers = [early];
  for (let count = 0; count < 60; count += 1) {
    appendText(tracker.state.content[0] ?? { text: "" }, "text", `line ${count}\n`);
    tracker.state.n = count;
    const wire = JSON.stringify(shared.encode(tracker.flush()));
    for (const one of subscribers) one.receive(JSON.parse(wire));
    if (count % 7 === 0) {
      const late = subscriber();
      late.receive([["r", tracker.snapshot()]]);
      subscribers.push(late);
      shared.forget();
    }
  }
  expect(subscribers.length).toBe(10);
  for (const one of subscribers) expect(one.value()).toEqual(tracker.snapshot());
});

test("[D9] ids are at most 1,024, and the oldest is defined anew", () => {
  const { encode } = boundEncoder();
  const { decode } = boundDecoder();
  const ids = new Set<unknown>();
  for (let round = 0; round < 3; round += 1) {
    for (let key = 0; key < 2_000; key += 1) {
      const batch: Batch = [["s", [`k${key}`], key]];
      const wire = encode(batch);
      for (const op of wire) if (op[0] === "#") ids.add(op[1]);
      expect(decode(wire)).toEqual(batch);
    }
  }
  expect(ids.size).toBe(MAX_PATH_IDS);
});

test("[D9] a path seen once is not remembered for ever", () => {
  const { encode } = boundEncoder();
  encode([["s", ["first"], 0]]);
  for (let key = 0; key < 5_000; key += 1) encode([["s", [`k${key}`], key]]);
  expect(encode([["s", ["first"], 1]])).toEqual([["s", ["first"], 1]]);
});

test("[D9] a decoder that refused a batch is as it was before", () => {
  const { decode } = boundDecoder();
  decode([
    ["#", 0, ["a"]],
    ["s", 0, 1],
  ]);
  const bad: unknown = [
    ["#", 0, ["b"]],
    ["#", 1, ["c"]],
    ["s", 1, 1],
    ["s", 2, 1],
  ];
  expect(() => decode(bad)).toThrow(expect.objectContaining({ code: "unknown_path_id", index: 3 }));
  expect(() => decode([["s", 1, 1]])).toThrow(expect.objectContaining({ code: "unknown_path_id" }));
  expect(() =>
    decode([
      ["r", {}],
      ["s", 0, 1],
    ]),
  ).toThrow(expect.objectContaining({ code: "unknown_path_id", index: 1 }));
  expect(decode([["s", 0, 2]])).toEqual([["s", ["a"], 2]]);
});

test("[D9] an id may be defined anew within a batch and after it", () => {
  const { decode } = boundDecoder();
  const wire = [
    ["#", 3, ["a"]],
    ["s", 3, 1],
    ["#", 3, ["b"]],
    ["s", 2],
    ["s", 3, 3],
  ];
  expect(decode(wire)).toEqual([
    ["s", ["a"], 1],
    ["s", ["a"], 2],
    ["s", ["b"], 3],
  ]);
  expect(decode([["s", 3, 4]])).toEqual([["s", ["b"], 4]]);
});

test("[D9] O33: encoded batches stay valid when a flush left out what a later write undid", () => {
  const tracker = track<Record<string, Json>>({ a: { text: "" }, b: 0 });
  const shared = encoder();
  const reader = subscriber();
  const step = (edit: () => void): void => {
    edit();
    reader.receive(JSON.parse(JSON.stringify(shared.encode(tracker.flush()))));
    expect(reader.value()).toEqual(tracker.snapshot());
  };
  step(() => undefined);
  step(() => ((tracker.state["a"] as { text: string }).text = "x"));
  step(() => {
    (tracker.state["a"] as { text: string }).text += "y";
    tracker.state["a"] = { text: "whole" };
  });
  step(() => ((tracker.state["a"] as { text: string }).text += "z"));
  step(() => {
    tracker.rebase();
    (tracker.state["a"] as { text: string }).text += "!";
  });
  step(() => ((tracker.state["a"] as { text: string }).text += "?"));
});

test("[D9] O32: small appends cost at most three times their text on the wire", () => {
  const chunk = `${"0123456789abcdef".repeat(4).slice(0, 63)}\n`;
  const tracker = track({ content: [{ text: "" }] });
  const shared = encoder();
  let bytes = JSON.stringify(shared.encode(tracker.flush())).length;
  for (let count = 0; count < 2_000; count += 1) {
    const block = tracker.state.content[0] ?? { text: "" };
    slideText(block, "text", block.text.length >= 51_200 ? 64 : 0, chunk);
    const wire = shared.encode(tracker.flush());
    expect(isBase(wire)).toBe(false);
    bytes += JSON.stringify(wire).length;
  }
  expect(bytes).toBeLessThanOrEqual(3 * 2_000 * chunk.length);
});

test.each([
  ["not_a_batch", { ops: [] }, undefined],
  [
    "unknown_verb",
    [
      ["d", ["a"]],
      ["~", 1],
    ],
    1,
  ],
  ["unknown_verb", [["d", ["a"]], "d"], 1],
  ["wrong_arity", [["#", 1]], 0],
  ["wrong_arity", [["d", ["a"], 1, 2]], 0],
  ["wrong_arity", [["p", ["a"], 1]], 0],
  ["wrong_arity", [["r"]], 0],
  [
    "misplaced_base",
    [
      ["d", ["a"]],
      ["r", 1],
    ],
    1,
  ],
  [
    "misplaced_base",
    [
      ["#", 0, ["a"]],
      ["r", 1],
    ],
    1,
  ],
  ["bad_path_id", [["#", 1_024, ["a"]]], 0],
  ["bad_path_id", [["#", -1, ["a"]]], 0],
  ["bad_path_id", [["#", "0", ["a"]]], 0],
  ["bad_path_id", [["s", 0.5, 1]], 0],
  ["unknown_path_id", [["s", 0, 1]], 0],
  ["no_previous_path", [["a", "text"]], 0],
  ["no_previous_path", [["r", {}], ["d"]], 1],
  [
    "no_previous_path",
    [
      ["#", 0, ["a"]],
      ["t", 1],
    ],
    1,
  ],
  ["bad_path", [["#", 0, "a"]], 0],
  ["bad_path", [["#", 0, [-1]]], 0],
  ["bad_path", [["s", "a", 1]], 0],
  [
    "refused_segment",
    [
      ["#", 0, ["__proto__"]],
      ["s", 0, 1],
    ],
    0,
  ],
  ["refused_segment", [["s", ["constructor", "prototype"], 1]], 0],
  ["root_op", [["s", [], 1]], 0],
  [
    "root_op",
    [
      ["#", 0, []],
      ["s", 0, 1],
    ],
    1,
  ],
  [
    "root_op",
    [
      ["p", [], 0, 0, []],
      ["s", 1],
    ],
    1,
  ],
  ["not_text", [["a", ["a"], 1]], 0],
  ["bad_count", [["t", ["a"], -1]], 0],
  ["bad_index", [["p", ["a"], null, 0, []]], 0],
  ["not_items", [["p", ["a"], 0, 0, {}]], 0],
  ["not_json", [["p", ["a"], 0, 0, [undefined]]], 0],
  ["not_json", [["s", ["a"], NaN]], 0],
  ["not_json", [["r", () => 1]], 0],
])("[D10] wire input is refused with %s and the op's index: %j", (code, wire, index) => {
  const { decode } = boundDecoder();
  expect(() => decode(wire)).toThrow(expect.objectContaining({ code, index }));
});

test("[D10] the wire validator judges shape; ids are the stream's", () => {
  expect(() =>
    assertWireOps([
      ["s", 1_023, 1],
      ["s", 2],
    ]),
  ).not.toThrow();
  expect(() => assertWireOps([["s", 1_024, 1]])).toThrow(expect.objectContaining({ code: "bad_path_id", index: 0 }));
});

test("[D10] a value deep at its place is refused, however its path was named", () => {
  const levels = (count: number): Json => (count === 1 ? [] : [levels(count - 1)]);
  const path = Array.from({ length: 64 }, () => 0);
  const { decode } = boundDecoder();
  expect(() =>
    decode([
      ["#", 0, path],
      ["s", 0, levels(192)],
    ]),
  ).not.toThrow();
  expect(() => decode([["s", 0, levels(193)]])).toThrow(expect.objectContaining({ code: "too_deep", index: 0 }));
});

function boundEncoder(): { encode: (batch: Batch) => WireBatch } {
  const one = encoder();
  return { encode: (batch) => one.encode(batch) };
}

function boundDecoder(): { decode: (wire: unknown) => Batch } {
  const one = decoder();
  return { decode: (wire) => one.decode(wire) };
}

function subscriber(): { receive: (wire: unknown) => void; value: () => Json | undefined } {
  const { decode } = boundDecoder();
  let value: Json | undefined;
  return {
    receive(wire) {
      value = apply(value, decode(wire));
    },
    value: () => value,
  };
}
