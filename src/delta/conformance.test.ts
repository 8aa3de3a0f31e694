import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apply, decoder, DeltaError, encoder, track } from "./index.js";
import type { Batch, Json } from "./index.js";

const before: Json = { text: "one two", list: [1, 2, 3], n: 1 };
const after: Json = { text: "two three", list: [1, 3, 4], n: 1 };

const correct: Batch[] = [
  [["r", after]],
  [
    ["s", ["text"], "two three"],
    ["s", ["list"], [1, 3, 4]],
  ],
  [
    ["t", ["text"], 4],
    ["a", ["text"], " three"],
    ["p", ["list"], 1, 1, []],
    ["p", ["list"], 2, 0, [4]],
  ],
  [
    ["p", ["list"], 1, 2, [3]],
    ["s", ["list", 2], 4],
    ["a", ["text"], " three"],
    ["t", ["text"], 1],
    ["t", ["text"], 3],
    ["s", ["n"], 2],
    ["s", ["n"], 1],
  ],
  [
    ["d", ["n"]],
    ["s", ["n"], 1],
    ["s", ["list", 3], 4],
    ["p", ["list"], 1, 1, []],
    ["a", ["text"], ""],
    ["s", ["text"], "two"],
    ["a", ["text"], " three"],
  ],
];

test.each(correct)("[D13] a consumer comes to one value by any correct batch, encoded or not: %#", (...ops) => {
  const batch: Batch = ops;
  const wire = [encoder().encode(batch), batch];
  for (const form of wire) {
    const received = decoder().decode(JSON.parse(JSON.stringify(form)));
    expect(apply(structuredClone(before), received)).toEqual(after);
  }
});

test("[D13] a second tracker that folds any correct batch tells the same value on", () => {
  for (const batch of correct) {
    const tracker = track({ fold: structuredClone(before) });
    const copy = apply<{ fold: Json }>(undefined, tracker.flush());
    tracker.state.fold = apply(tracker.state.fold, batch);
    expect(apply(copy, tracker.flush())).toEqual({ fold: after });
  }
});

interface OpsCase {
  readonly name: string;
  readonly before?: Json;
  readonly batch?: unknown;
  /** The batch as JSON text, where how it is written is the point. */
  readonly batchText?: string;
  readonly after?: Json;
  readonly error?: Refusal;
}

interface Refusal {
  readonly code: string;
  readonly index?: number;
}

test.each(readVectors<OpsCase>("ops"))(
  "[D1] [D3] [D10] [D11] [D13] apply ends as the vector says: $file: $name",
  ({ before, batch, batchText, after, error }) => {
    const ops = (batchText === undefined ? batch : JSON.parse(batchText)) as Batch;
    const expected = error === undefined ? { after } : { error, left: before };

    expect(outcomeOf(structuredClone(before), ops)).toEqual(expected);
    expect(outcomeOf(toTracked(before), ops)).toEqual(expected);
  },
);

/** A tracked copy; a root that is no container cannot be tracked and stays plain. */
function toTracked(value: Json | undefined): unknown {
  return typeof value === "object" && value !== null ? track(structuredClone(value)).state : value;
}

type Outcome = { readonly after: unknown } | { readonly error: Refusal; readonly left: unknown };

function outcomeOf(value: unknown, ops: Batch): Outcome {
  try {
    return { after: apply<unknown>(value, ops) };
  } catch (error) {
    return { error: toRefusal(error), left: value };
  }
}

interface StreamCase {
  readonly name: string;
  readonly steps: readonly StreamStep[];
}

interface StreamStep {
  readonly wire: unknown;
  readonly batch?: Batch;
  readonly after?: Json;
  readonly error?: Refusal;
}

test.each(readVectors<StreamCase>("streams"))(
  "[D9] [D10] [D12] [D13] a stream decodes and folds as the vector says: $file: $name",
  ({ steps }) => {
    const stream = decoder();
    let value: Json | undefined;
    for (const { wire, batch, after, error } of steps) {
      const decoded = decodeOrRefusal(() => stream.decode(wire));
      expect(decoded).toEqual(batch ?? error);
      if (Array.isArray(decoded)) value = apply(value, decoded);
      expect(value).toEqual(after ?? value);
    }
  },
);

function decodeOrRefusal(decode: () => Batch): Batch | Refusal {
  try {
    return decode();
  } catch (error) {
    return toRefusal(error);
  }
}

function toRefusal(error: unknown): Refusal {
  if (!(error instanceof DeltaError)) throw error;
  return error.index === undefined ? { code: error.code } : { code: error.code, index: error.index };
}

function readVectors<Case>(folder: string): (Case & { readonly file: string })[] {
  const place = new URL(`../../spec/vectors/${folder}/`, import.meta.url);
  return readdirSync(place).flatMap((file) => {
    const cases = JSON.parse(readFileSync(new URL(file, place), "utf8")) as Case[];
    return cases.map((one) => ({ ...one, file }));
  });
}
