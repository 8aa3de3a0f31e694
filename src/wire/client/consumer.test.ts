import { expect, test } from "vitest";
import { createConsumer } from "./index.js";
import type { Consumer, ConsumerError } from "./index.js";

interface Text {
  text: string;
}

function openConsumer(): { consumer: Consumer<Text>; asked: ConsumerError[] } {
  const asked: ConsumerError[] = [];
  return { consumer: createConsumer<Text>({ askForBase: (why) => asked.push(why) }), asked };
}

const base = (seq: number, text: string): unknown => ({ seq, ops: [["r", { text }]] });
const append = (seq: number, text: string): unknown => ({ seq, ops: [["a", ["text"], text]] });

/** A consumer that follows a stream and holds `ab` at 8. */
function following(): { consumer: Consumer<Text>; asked: ConsumerError[] } {
  const opened = openConsumer();
  opened.consumer.receive(base(7, "a"));
  opened.consumer.receive(append(8, "b"));
  return opened;
}

test("[C1] a consumer has no value before the first base, and the folded value after it", () => {
  const { consumer, asked } = openConsumer();
  expect([consumer.value, consumer.needsBase]).toEqual([undefined, true]);

  consumer.receive(base(3, "a"));
  consumer.receive(append(4, "b"));

  expect(consumer.value).toEqual({ text: "ab" });
  expect([consumer.seq, consumer.needsBase, asked]).toEqual([4, false, []]);
});

test("[W1] a base is accepted at any seq, anything else at the previous + 1", () => {
  const { consumer } = following();

  consumer.receive(base(2, "again"));
  consumer.receive(append(3, "!"));
  consumer.receive(base(900, "far"));
  consumer.receive(append(901, "!"));

  expect([consumer.value, consumer.seq]).toEqual([{ text: "far!" }, 901]);
});

test("[C2] X26: what a base holds already is not applied again", () => {
  const { consumer, asked } = openConsumer();
  consumer.receive(base(7, "5 6 7 "));

  for (const seq of [5, 6, 7, 8]) consumer.receive(append(seq, `${seq} `));

  expect(consumer.value).toEqual({ text: "5 6 7 8 " });
  expect(consumer.counters).toEqual({ applied: 2, ignored: 3, refused: 0 });
  expect(asked).toEqual([]);
});

test("[C2] a gap keeps the last value and asks for a base once", () => {
  const { consumer, asked } = following();

  for (const seq of [10, 11, 12]) consumer.receive(append(seq, "lost"));

  expect(asked.map(({ code }) => code)).toEqual(["gap"]);
  expect([consumer.value, consumer.seq, consumer.needsBase]).toEqual([{ text: "ab" }, 8, true]);

  consumer.receive(base(12, "whole"));
  consumer.receive(append(13, "!"));
  expect([consumer.value, consumer.needsBase]).toEqual([{ text: "whole!" }, false]);
});

test("[W1] a stream that does not begin with a base is asked for one", () => {
  const { consumer, asked } = openConsumer();

  consumer.receive(append(1, "x"));
  consumer.receive(append(2, "y"));

  expect(asked.map(({ code }) => code)).toEqual(["gap"]);
});

test("[C1] after a restart only a base is accepted, and another doubt asks again", () => {
  const { consumer, asked } = following();
  consumer.receive(append(99, "x"));

  consumer.restart();
  consumer.receive(append(9, "c"));

  expect(consumer.value).toEqual({ text: "ab" });
  expect(asked).toHaveLength(2);
});

const malformed: [string, unknown, string][] = [
  ["null", null, "malformed_message"],
  ["a text", "hello", "malformed_message"],
  ["an array", [], "malformed_message"],
  ["an object without ops", { seq: 9 }, "malformed_message"],
  ["ops that are no array", { seq: 9, ops: { 0: ["r", 1] } }, "malformed_message"],
  ["a seq as text", { seq: "9", ops: [] }, "malformed_message"],
  ["a negative seq", { seq: -1, ops: [] }, "malformed_message"],
  ["a seq beyond whole numbers", { seq: 2 ** 53, ops: [] }, "malformed_message"],
  ["an unknown verb", { seq: 9, ops: [["z", ["text"], "x"]] }, "refused_ops"],
  ["an op that is text", { seq: 9, ops: ["r"] }, "refused_ops"],
  ["an op that is null", { seq: 9, ops: [null] }, "refused_ops"],
  ["a wrong arity", { seq: 9, ops: [["a", ["text"], "x", "y"]] }, "refused_ops"],
  ["a base of wrong arity", { seq: 9, ops: [["r"]] }, "refused_ops"],
  [
    "a base in the middle",
    {
      seq: 9,
      ops: [
        ["a", ["text"], "x"],
        ["r", {}],
      ],
    },
    "refused_ops",
  ],
  ["an id that was never defined", { seq: 9, ops: [["a", 5, "x"]] }, "refused_ops"],
  ["a target that is not there", { seq: 9, ops: [["a", ["other"], "x"]] }, "refused_ops"],
  ["a path into the prototype", { seq: 9, ops: [["s", ["__proto__", "polluted"], 1]] }, "refused_ops"],
  ["a path into the constructor", { seq: 9, ops: [["s", ["constructor", "prototype", "polluted"], 1]] }, "refused_ops"],
  [
    "such a path through an id",
    {
      seq: 9,
      ops: [
        ["#", 0, ["__proto__"]],
        ["s", 0, { polluted: 1 }],
      ],
    },
    "refused_ops",
  ],
  ["an array index of -1", { seq: 9, ops: [["s", ["text", -1], 1]] }, "refused_ops"],
  [
    "a batch whose second op is invalid",
    {
      seq: 9,
      ops: [
        ["a", ["text"], "x"],
        ["t", ["text"], 99],
        ["a", "y"],
      ],
    },
    "refused_ops",
  ],
];

test.each(malformed)(
  "[C2] X27, X28, X29: %s changes nothing, is recorded with a code, and asks for a base once",
  (_name, message, code) => {
    const { consumer, asked } = following();
    const changes: unknown[] = [];
    consumer.onChange((change) => changes.push(change));

    consumer.receive(message);
    consumer.receive(message);

    expect(asked.map((why) => why.code)).toEqual([code]);
    expect(consumer.error?.code).toBe(code);
    expect([consumer.value, consumer.seq, consumer.needsBase, changes]).toEqual([{ text: "ab" }, 8, true, []]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();

    consumer.receive(base(1, "fresh"));
    expect([consumer.value, consumer.needsBase]).toEqual([{ text: "fresh" }, false]);
  },
);

test("[C1] X27: fields of a message that this version does not know are no reason for doubt", () => {
  const { consumer, asked } = following();

  consumer.receive({ ...(append(9, "c") as object), sentAt: 1, trace: { id: "x" } });

  expect([consumer.value, asked]).toEqual([{ text: "abc" }, []]);
});

test("[C1] listeners see every change with its batch until they leave", () => {
  const { consumer } = openConsumer();
  const seen: unknown[] = [];
  const leave = consumer.onChange(({ seq, batch, value }) => seen.push([seq, batch[0]?.[0], value.text]));

  consumer.receive(base(0, "a"));
  consumer.receive(append(1, "b"));
  leave();
  consumer.receive(append(2, "c"));

  expect(seen).toEqual([
    [0, "r", "a"],
    [1, "a", "ab"],
  ]);
});
