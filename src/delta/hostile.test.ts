import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countOf, isCi } from "./fixtures/counts.js";
import { apply, assertOps, assertWireOps, decoder, DeltaError, track } from "./index.js";
import type { Batch, Json } from "./index.js";

/** Of each of the four tests. */
const RUNS = countOf({ here: 700, inCi: 25_000 });
const SEED = isCi ? Date.now() % 1_000_000_000 : 1;
const TIMEOUT_MS = 600_000;

console.log(`4 x ${RUNS} made-up inputs, seed ${SEED}`);
/** How often each outcome is seen at least. Of made-up bytes 3% are taken: that there are fewer is less likely than 1 : 10^6. */
const RARE = RUNS / 200;
/** Batches that were once taken wrongly, by this or by others (X28); they run first. */
const FINDS: [ops: unknown[]][] = [
  [[["s", ["__proto__", "x"], 1]]],
  [[["s", ["constructor", "prototype", "x"], 1]]],
  [
    [
      ["#", 0, ["__proto__"]],
      ["s", 0, { x: 1 }],
    ],
  ],
  [[["a", ["o", "__proto__", "text"], "x"]]],
  [[["p", ["list"], 1e9, 0, [1]]]],
  [[["s", ["list", "01"], 1]]],
  [[["s", ["text"], undefined]]],
  [[["p", ["list"], 0, 0, [undefined]]]],
];
const polluted = ["x", "0", "a", "text", "polluted"];

const start = (): { [key: string]: Json } => ({
  text: "ab\u{1F98A}",
  list: [1, "two", { n: 3 }],
  o: { a: { b: null } },
});

const segment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>("text", "list", "o", "a", "b", "n", 0, 1, 2, 3) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      "__proto__",
      "constructor",
      "prototype",
      "length",
      "toString",
      "0",
      "01",
      -1,
      1e9,
      1.5,
      NaN,
      null,
    ),
  },
);
const path = fc.oneof(
  { weight: 9, arbitrary: fc.array(segment, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.anything() },
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }) },
);
const count = fc.constantFrom<unknown>(0, 1, 2, 3, 4, -1, 0.5, NaN, "1", 1e12);
const pathOrId = fc.oneof(
  { weight: 3, arbitrary: path },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(0, 1, 1_023, 1_024, -1) },
);

const opOf = (where: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.tuple(fc.constant("s"), where, value),
    fc.tuple(fc.constant("d"), where),
    fc.tuple(fc.constant("a"), where, fc.oneof(fc.string(), value)),
    fc.tuple(fc.constant("t"), where, count),
    fc.tuple(fc.constant("p"), where, count, count, fc.oneof(fc.array(value, { maxLength: 3 }), value)),
    fc.tuple(fc.constant("r"), value),
    fc.tuple(fc.constant("#"), fc.constantFrom<unknown>(0, 1, 1_024, "0"), path),
    fc.array(fc.oneof(fc.constantFrom<unknown>("s", "d", "a", "t", "p", "r", "#", "~"), value), { maxLength: 5 }),
    fc.anything(),
  );

test(
  "[D10] apply takes made-up ops, or refuses them with a code and the op's index and changes nothing",
  () => {
    const outcomes = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(opOf(path), { maxLength: 3 }), (ops) => {
        const batch = ops as unknown as Batch;
        const plain = start();
        const tracker = track(start());
        tracker.flush();
        const error = refusalOf(() => apply(plain, batch), ops);
        const trackedError = refusalOf(() => apply(tracker.state, batch), ops);
        expect([trackedError?.code, trackedError?.index]).toEqual([error?.code, error?.index]);
        outcomes[error === undefined ? "taken" : "refused"] += 1;
        const isBase = (ops[0] as unknown[] | undefined)?.[0] === "r";
        expect(isBase || error !== undefined ? start() : plain).toEqual(tracker.snapshot());
        expect(apply(start(), tracker.flush())).toEqual(tracker.snapshot());
        expectUnpolluted();
      }),
      { numRuns: RUNS, seed: SEED, examples: FINDS },
    );
    expect(Math.min(outcomes.taken, outcomes.refused)).toBeGreaterThan(RARE);
  },
  TIMEOUT_MS,
);

test(
  "[D10] what the validator takes fails in apply only for the value it meets",
  () => {
    const shapes = new Set(["missing_target", "wrong_target", "out_of_range", "too_deep"]);
    fc.assert(
      fc.property(fc.array(opOf(path), { maxLength: 3 }), (ops) => {
        const judged = refusalOf(() => assertOps(ops), ops);
        const error = refusalOf(() => apply(start(), ops as unknown as Batch), ops);
        expect(judged === undefined ? error === undefined || shapes.has(error.code) : error !== undefined).toBe(true);
      }),
      { numRuns: RUNS, seed: SEED, examples: FINDS },
    );
  },
  TIMEOUT_MS,
);

test(
  "[D10] the decoder takes made-up wire ops or refuses them, and a refused batch leaves no id behind",
  () => {
    const outcomes = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(fc.array(opOf(pathOrId), { maxLength: 3 }), { maxLength: 4 }), (batches) => {
        const [noisy, quiet] = [decoder(), decoder()];
        for (const ops of batches) {
          const judged = refusalOf(() => assertWireOps(ops), ops);
          const error = refusalOf(() => noisy.decode(ops), ops);
          outcomes[error === undefined ? "taken" : "refused"] += 1;
          expect(judged === undefined || error !== undefined).toBe(true);
          if (error === undefined) assertOps(quiet.decode(ops));
        }
        expectUnpolluted();
      }),
      { numRuns: RUNS, seed: SEED, examples: FINDS.map(([ops]) => [[ops]]) },
    );
    expect(Math.min(outcomes.taken, outcomes.refused)).toBeGreaterThan(RARE);
  },
  TIMEOUT_MS,
);

test(
  "[D10] made-up bytes that parse are taken or refused alike",
  () => {
    const outcomes = { taken: 0, refused: 0 };
    const wire = JSON.stringify([
      ["#", 0, ["o", "a"]],
      ["s", 0, { b: [1, "x"] }],
      ["a", ["text"], "more"],
      ["t", 2],
      ["p", ["list"], 0, 1, []],
    ]);
    const edit = fc.tuple(
      fc.nat(wire.length),
      fc.nat(3),
      fc.constantFrom("", "[", "]", '"', ",", "0", "-", "null", "{}", "__proto__"),
    );
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let text = wire;
        for (const [at, drop, put] of edits) text = text.slice(0, at) + put + text.slice(at + drop);
        const parsed = parse(text);
        const error = refusalOf(() => apply(start(), decoder().decode(parsed)), Array.isArray(parsed) ? parsed : []);
        outcomes[error === undefined ? "taken" : "refused"] += 1;
        expectUnpolluted();
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(Math.min(outcomes.taken, outcomes.refused)).toBeGreaterThan(RARE);
  },
  TIMEOUT_MS,
);

/** The refusal of a call, which must be a coded one that names an op of the batch. */
function refusalOf(call: () => unknown, ops: readonly unknown[]): DeltaError | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (!(error instanceof DeltaError)) throw error;
    const isOnBatch = error.code === "not_a_batch" || error.code === "no_value";
    if (!isOnBatch && !(error.index !== undefined && error.index >= 0 && error.index < Math.max(1, ops.length)))
      throw error;
    return error;
  }
}

function expectUnpolluted(): void {
  expect(polluted.filter((key) => key in Object.prototype || key in Array.prototype)).toEqual([]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
