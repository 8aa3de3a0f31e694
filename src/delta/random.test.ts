import assert from "node:assert/strict";
import { expect, test } from "vitest";
import { countOf, isCi } from "./fixtures/counts.js";
import { ARRAY_EDITS, editBoth, OBJECT_EDITS } from "./fixtures/random-edits.js";
import type { Both } from "./fixtures/random-edits.js";
import { Random } from "./fixtures/random.js";
import { assertSame } from "./fixtures/same-json.js";
import { assertLinked, assertSettled } from "./fixtures/tracked-internals.js";
import { apply, decoder, encoder, track } from "./index.js";
import type { Batch, Json, Tracker } from "./index.js";

/** Seeds that once found a fault; they run first. */
const FINDS: readonly number[] = [];
/** Sequences of each of the four parts. */
const SEQUENCES = Math.max(60, countOf({ here: 125, inCi: 25_000 }));
const FIRST_SEED = isCi ? Date.now() % 1_000_000_000 : 1;
const FEW_EDITS = 10;
const MANY_EDITS = 40;

const parts = [0, 1, 2, 3].map((part) => FIRST_SEED + part * SEQUENCES);

test.each(parts)(
  "[D12] any edits, flushed, encoded, decoded and applied, equal the producer's state (seeds from %i on)",
  (first) => {
    console.log(`${SEQUENCES} sequences by seeds from ${first} on`);
    const seen = new Map<string, number>();
    const seeds = [...FINDS, ...Array.from({ length: SEQUENCES }, (_, index) => first + index)];
    for (const seed of seeds) {
      const run = new Run(seed);
      try {
        run.play(seen);
      } catch (error) {
        throw new Error(`seed ${seed} after ${run.history.join(", ")}`, { cause: error });
      }
    }
    const names = [...Object.keys(ARRAY_EDITS), ...Object.keys(OBJECT_EDITS)];
    expect(names.filter((name) => (seen.get(name) ?? 0) < SEQUENCES / 100)).toEqual([]);
    for (const verb of ["r", "s", "d", "a", "t", "p", "refused"])
      expect(seen.get(verb)).toBeGreaterThan(SEQUENCES / 100);
  },
  900_000,
);

/** One producer, its plain mirror, a consumer behind the codec, and a second tracker that folds the same ops. */
class Run {
  readonly history: string[] = [];
  readonly #random: Random;
  readonly #tracker: Tracker<Json[] | { [key: string]: Json }>;
  readonly #encoder = encoder();
  readonly #decoder = decoder();
  readonly #facet = track<{ fold: { value?: Json } }>({ fold: {} });
  readonly #held: Both[] = [];
  #plain: Json[] | { [key: string]: Json };
  #copy: Json | undefined;
  #facetCopy: Json | undefined;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#plain = this.#newRoot();
    this.#tracker = track(structuredClone(this.#plain));
  }

  play(seen: Map<string, number>): void {
    for (let edits = this.#random.oneIn(20) ? MANY_EDITS : 1 + this.#random.int(FEW_EDITS); edits > 0; edits -= 1) {
      const name = editBoth(this.#random, this.#pickPlace());
      this.history.push(name);
      count(seen, name);
      if (this.#random.oneIn(25)) this.#disturb();
      if (this.#random.oneIn(3)) for (const event of this.#flush()) count(seen, event);
    }
    for (const event of this.#flush()) count(seen, event);
  }

  #newRoot(): Json[] | { [key: string]: Json } {
    return this.#random.oneIn(4)
      ? [this.#random.json(3), this.#random.json(3)]
      : { ...this.#random.object(4), text: this.#random.text(90) };
  }

  /** A random place, sometimes one that was picked before and may have been moved, copied or removed since. */
  #pickPlace(): Both {
    if (this.#held.length > 0 && this.#random.oneIn(4)) return this.#random.pick(this.#held);
    let place: Both = { tracked: this.#tracker.state, plain: this.#plain };
    for (let depth = this.#random.int(5); depth > 0; depth -= 1) {
      const children = childrenOf(place);
      if (children.length > 0) place = this.#random.pick(children);
    }
    if (this.#random.oneIn(3)) this.#held.push(place);
    return place;
  }

  #disturb(): void {
    const kind = this.#random.int(3);
    if (kind === 0) {
      this.#tracker.rebase();
    } else if (kind === 1) {
      this.#encoder.forget();
    } else {
      this.#plain = this.#newRoot();
      this.#tracker.state = structuredClone(this.#plain);
    }
  }

  #flush(): string[] {
    const isDirty = this.#tracker.dirty;
    assertLinked(this.#tracker.state);
    const batch = this.#tracker.flush();
    assert.equal(batch.length > 0, isDirty);
    const received = this.#decoder.decode(JSON.parse(JSON.stringify(this.#encoder.encode(batch))));
    assertSame(received, batch);
    const refused = this.#refuseBroken(received);
    this.#copy = apply(this.#copy, received);
    assertSame(this.#copy, this.#plain);
    assertSame(this.#tracker.snapshot(), this.#plain);
    if (this.#random.oneIn(4)) assertSame(this.#tracker.state, this.#plain);
    assertSame(this.#tracker.flush(), []);
    assertSettled(this.#tracker.state);
    this.#fold(received);
    return [...batch.map(([verb]) => verb), ...refused];
  }

  /** A batch that fails at its end leaves the consumer's value, and the second tracker's, as they were. */
  #refuseBroken(batch: Batch): string[] {
    if (this.#copy === undefined || !this.#random.oneIn(6)) return [];
    const before = structuredClone(this.#copy);
    const { fold } = this.#facet.state;
    const broken: Batch = [...batch, ["d", ["no", "such", "key"]]];
    assert.throws(() => apply(this.#copy, broken), { index: batch.length });
    assert.throws(() => apply(fold.value, broken), { index: batch.length });
    assertSame(this.#copy, before);
    assertSame(fold.value, before);
    return ["refused"];
  }

  #fold(batch: Batch): void {
    const { fold } = this.#facet.state;
    fold.value = apply(fold.value, batch);
    if (this.#random.oneIn(20)) this.#facet.rebase();
    if (this.#random.oneIn(2)) return;
    this.#facetCopy = apply(this.#facetCopy, this.#facet.flush());
    assertSame(this.#facetCopy, { fold: { value: this.#plain } });
  }
}

function childrenOf(place: Both): Both[] {
  return Object.entries(place.plain).flatMap(([key, plain]) => {
    const tracked = (place.tracked as { [key: string]: Json })[key];
    return isContainer(plain) && isContainer(tracked) ? [{ tracked, plain }] : [];
  });
}

function isContainer(value: Json | undefined): value is Json[] | { [key: string]: Json } {
  return typeof value === "object" && value !== null;
}

function count(seen: Map<string, number>, name: string): void {
  seen.set(name, (seen.get(name) ?? 0) + 1);
}
