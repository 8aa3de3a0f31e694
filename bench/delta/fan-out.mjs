// One process of the case fan-out: batches of one state for many subscribers, of whom some leave and others join all the
// time. Each way is given the same edits, by turns.
import { createBroadcast } from "../dist/spillway/facet/index.js";
import { apply, decoder, slideText, track } from "../dist/spillway/delta/index.js";
import * as chord from "@earendil-works/chord/delta";
import { answerParent, childInput } from "../lib/children.mjs";
import { findDifference } from "../lib/difference.mjs";
import { createRandom, randomInteger } from "../lib/random.mjs";
import { median } from "../lib/statistics.mjs";
import { variedText } from "../lib/text.mjs";
import { toolOutput } from "./states.mjs";

/**
 * @typedef {object} FanOutInput
 * @property {number} seed
 * @property {number} subscribers
 * @property {number} batches
 * @property {number} warmUpBatches
 *
 * @typedef {{ produce: number, encodes: number, stringifies: number }} FanOutFigures µs for each batch, and what was done
 *   for it, without what a base for those who joined takes
 *
 * @typedef {object} Sender
 * @property {string} name
 * @property {(receive: (json: string) => void) => () => void} join Gives what leaves again; a base is received at once.
 * @property {(drop: number, text: string) => void} send Makes an edit and hands it to all.
 * @property {() => Reader} read
 * @property {() => unknown} value
 * @property {() => { encodes: number, stringifies: number }} [counters]
 *
 * @typedef {{ receive: (json: string) => void, value: () => unknown }} Reader
 */

/** Of the subscribers, those that fold what they receive. */
const READERS = 10;
/** Of the subscribers, the part that changes before each batch. */
const CHANGING = 0.005;

/** @type {FanOutInput} */
const input = childInput();
const initial = toolOutput(variedText(createRandom(input.seed), 51_200));
const runs = [openSpillway(), openChord(), openSnapshot()].map((sender) => createRun(sender));
for (let batch = 0; batch < input.warmUpBatches + input.batches; batch += 1) {
  for (let turn = 0; turn < runs.length; turn += 1)
    runs[(turn + batch) % runs.length]?.step(batch >= input.warmUpBatches);
}
answerParent(Object.fromEntries(runs.map((run) => [run.name, run.finish()])));

/** @param {Sender} sender */
function createRun(sender) {
  const random = createRandom(input.seed);
  /** @type {number[]} */
  const times = [];
  const ignore = () => undefined;
  const leaves = Array.from({ length: input.subscribers - READERS }, () => sender.join(ignore));
  /** @type {{ reader: Reader, leave: () => void }[]} */
  const readers = Array.from({ length: READERS }, joinReader);

  function joinReader() {
    const reader = sender.read();
    return { reader, leave: sender.join(reader.receive) };
  }

  return {
    name: sender.name,
    /** @param {boolean} isTimed */
    step(isTimed) {
      for (let count = input.subscribers * CHANGING; count > 0; count -= 1) {
        const place = randomInteger(random, leaves.length);
        leaves[place]?.();
        leaves[place] = sender.join(ignore);
      }
      const place = randomInteger(random, READERS);
      readers[place]?.leave();
      readers[place] = joinReader();

      const text = variedText(random, 200);
      const start = performance.now();
      sender.send(text.length, text);
      if (isTimed) times.push((performance.now() - start) * 1_000);
    },
    finish() {
      for (const { reader } of readers) {
        const difference = findDifference(reader.value(), sender.value(), `fan-out: a reader of ${sender.name}`);
        if (difference !== undefined) throw new Error(difference);
      }
      const batches = input.warmUpBatches + input.batches;
      const { encodes = Number.NaN, stringifies = Number.NaN } = sender.counters?.() ?? {};
      return { produce: median(times), encodes: encodes / batches, stringifies: stringifies / batches };
    },
  };
}

/**
 * One encoder and one text for all.
 *
 * @returns {Sender}
 */
function openSpillway() {
  const tracker = track(initial);
  tracker.flush();
  const broadcast = createBroadcast(() => tracker.snapshot());
  let stringifies = 0;
  /** @type {object | undefined} */
  let last;
  return {
    name: "spillway",
    join(receive) {
      const subscription = broadcast.subscribe({
        // Each of these objects was stringified once.
        receive(message) {
          if (message !== last) stringifies += 1;
          last = message;
          receive(message.json);
        },
        end: () => undefined,
      });
      return () => subscription.close();
    },
    send(drop, text) {
      const [block] = tracker.state.content;
      if (block !== undefined) slideText(block, "text", drop, text);
      broadcast.send(tracker.flush());
    },
    read() {
      const decoding = decoder();
      /** @type {unknown} */
      let value;
      return {
        receive: (json) => (value = apply(value, decoding.decode(JSON.parse(json).ops))),
        value: () => value,
      };
    },
    value: () => tracker.snapshot(),
    counters: () => ({
      encodes: broadcast.counters.encodes,
      stringifies: stringifies - broadcast.counters.bases,
    }),
  };
}

/**
 * An encoder for each subscriber, as its documents have it: what a path is called depends on when its stream began.
 *
 * @returns {Sender}
 */
function openChord() {
  const tracker = chord.track(structuredClone(initial));
  tracker.flush();
  /** @type {Set<{ encoding: ReturnType<typeof chord.encoder>, receive: (json: string) => void }>} */
  const streams = new Set();
  let encodes = 0;
  return {
    name: "chord",
    join(receive) {
      const stream = { encoding: chord.encoder(), receive };
      receive(JSON.stringify(stream.encoding.encode([["r", tracker.target]])));
      streams.add(stream);
      return () => streams.delete(stream);
    },
    send(drop, text) {
      const [block] = tracker.state.content;
      if (block !== undefined) block.text = block.text.slice(drop) + text;
      const ops = tracker.flush();
      for (const { encoding, receive } of streams) receive(JSON.stringify(encoding.encode(ops)));
      encodes += streams.size;
    },
    read() {
      const decoding = chord.decoder();
      /** @type {any} */
      let value;
      return {
        receive: (json) => (value = chord.apply(value, decoding.decode(JSON.parse(json)))),
        value: () => value,
      };
    },
    value: () => tracker.target,
    counters: () => ({ encodes, stringifies: encodes }),
  };
}

/**
 * The whole state, as one text for all.
 *
 * @returns {Sender}
 */
function openSnapshot() {
  const state = structuredClone(initial);
  /** @type {Set<(json: string) => void>} */
  const receivers = new Set();
  return {
    name: "snapshot",
    join(receive) {
      receive(JSON.stringify(state));
      receivers.add(receive);
      return () => receivers.delete(receive);
    },
    send(drop, text) {
      const [block] = state.content;
      if (block !== undefined) block.text = block.text.slice(drop) + text;
      const json = JSON.stringify(state);
      for (const receive of receivers) receive(json);
    },
    read() {
      let json = "";
      return { receive: (next) => (json = next), value: () => JSON.parse(json) };
    },
    value: () => state,
  };
}
