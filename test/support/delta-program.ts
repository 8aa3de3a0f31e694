import { editBoth } from "../../src/delta/fixtures/random-edits.js";
import type { Both } from "../../src/delta/fixtures/random-edits.js";
import { Random } from "../../src/delta/fixtures/random.js";
import { assertSame } from "../../src/delta/fixtures/same-json.js";
import { apply, decoder, DeltaError, encoder, track } from "../../src/delta/index.js";
import type { Batch, Json } from "../../src/delta/index.js";

export interface ProgramInput {
  readonly ops: readonly { readonly before?: Json; readonly batch?: unknown; readonly batchText?: string }[];
  readonly streams: readonly { readonly steps: readonly { readonly wire: unknown }[] }[];
  readonly seeds: readonly number[];
}

export interface ProgramOutput {
  readonly ops: readonly Outcome[];
  readonly streams: readonly (readonly Outcome[])[];
  /** Flushes whose copy equalled the state. */
  readonly flushes: number;
}

export type Outcome =
  | { readonly after: Json | undefined }
  | { readonly error: { readonly code: string; readonly index?: number | undefined } };

/** What any engine of JavaScript must make of the vectors, and of random edits that are sent to a copy. Text in, text out. */
export function play(text: string): string {
  const { ops, streams, seeds } = JSON.parse(text) as ProgramInput;
  const output: ProgramOutput = {
    ops: ops.map(({ before, batch, batchText }) =>
      outcomeOf(() => apply(before, (batchText === undefined ? batch : JSON.parse(batchText)) as Batch)),
    ),
    streams: streams.map(({ steps }) => follow(steps.map(({ wire }) => wire))),
    flushes: seeds.reduce((sum, seed) => sum + replicate(seed), 0),
  };
  return JSON.stringify(output);
}

function follow(wires: readonly unknown[]): Outcome[] {
  const stream = decoder();
  let value: Json | undefined;
  return wires.map((wire) => outcomeOf(() => (value = apply(value, stream.decode(wire)))));
}

function outcomeOf(make: () => Json | undefined): Outcome {
  try {
    return { after: structuredClone(make()) };
  } catch (error) {
    if (!(error instanceof DeltaError)) throw error;
    return { error: { code: error.code, index: error.index } };
  }
}

/** Random edits of one state, each third of them flushed; gives how many batches brought the copy up to date. */
function replicate(seed: number): number {
  const random = new Random(seed);
  const plain = { ...random.object(4), text: random.text(90) };
  const tracker = track<{ [key: string]: Json }>(structuredClone(plain));
  const [sender, receiver] = [encoder(), decoder()];
  let copy: Json | undefined;
  let flushes = 0;
  for (let edit = 0; edit < 60; edit += 1) {
    editBoth(random, pickPlace(random, { tracked: tracker.state, plain }));
    if (random.oneIn(30)) tracker.rebase();
    if (!random.oneIn(3)) continue;
    const wire = JSON.stringify(sender.encode(tracker.flush()));
    copy = apply(copy, receiver.decode(JSON.parse(wire)));
    assertSame(copy, plain);
    flushes += 1;
  }
  return flushes;
}

function pickPlace(random: Random, root: Both): Both {
  let place = root;
  for (let depth = random.int(4); depth > 0; depth -= 1) {
    const keys = Object.keys(place.plain).filter((key) => typeof childOf(place.plain, key) === "object");
    const key = keys[random.int(keys.length + 1)];
    if (key === undefined || childOf(place.plain, key) === null) return place;
    place = { tracked: childOf(place.tracked, key), plain: childOf(place.plain, key) };
  }
  return place;
}

function childOf(container: Both["plain"], key: string): Both["plain"] {
  return (container as unknown as Record<string, Both["plain"]>)[key] as Both["plain"];
}
