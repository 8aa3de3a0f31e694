import { expect, test } from "vitest";
import { apply, decoder } from "../delta/index.js";
import { seededRandom, seedsOf } from "../lane/fixtures/random.js";
import { emptyOutput, randomStep, SimulatedLane } from "../lane/fixtures/simulated-lane.js";
import { emptyLaneView, reduceLaneSnapshot } from "../lane/index.js";
import type { LaneView } from "../lane/index.js";
import type { EventGroup, HarnessEvent, WireMessage } from "../protocol/index.js";
import { chatFacet, createFacetHost, laneFacet } from "./index.js";
import type { EncodedMessage, Facet, FacetHost, FacetSubscriber } from "./index.js";

/** A subscriber that keeps what it got, and folds it as a consumer would. */
class Reader implements FacetSubscriber {
  readonly messages: EncodedMessage[] = [];
  value: unknown;
  ends = 0;
  readonly #decoder = decoder();

  receive(message: EncodedMessage): void {
    this.messages.push(message);
    const { ops } = JSON.parse(message.json) as WireMessage;
    this.value = apply(this.value, this.#decoder.decode(ops));
  }

  end(): void {
    this.ends += 1;
  }

  get seqs(): number[] {
    return this.messages.map(({ message }) => message.seq);
  }
}

/** A source whose view follows what is played into the host. */
function openStage<T extends object>(
  facet: Facet<T>,
): {
  readonly lane: SimulatedLane;
  readonly view: LaneView;
  readonly host: FacetHost<T>;
  readonly play: (group: EventGroup) => void;
} {
  const lane = new SimulatedLane();
  const view = emptyLaneView();
  const host = createFacetHost(facet, () => structuredClone(view));
  const play = (group: EventGroup): void => {
    for (const event of group) reduceLaneSnapshot(view, event);
    host.deliver(group);
  };
  return { lane, view, host, play };
}

const unknownUpdate: HarnessEvent = {
  type: "tool_update",
  operationId: "op_x",
  turnId: "turn_x",
  toolCallId: "call_x",
  ops: [],
};

test("[F1] a facet of a user's own has a shape of its own and gets its ops from plain mutation", () => {
  const counter: Facet<{ calls: Record<string, number> }> = {
    id: "calls-by-tool",
    initial: () => ({ calls: {} }),
    reduce(state, event) {
      if (event.type === "tool_start") state.calls[event.toolName] = (state.calls[event.toolName] ?? 0) + 1;
      return true;
    },
  };
  const { lane, host, play } = openStage(counter);
  const reader = new Reader();
  host.subscribe(reader);

  play(lane.startOperation());
  play(lane.startTool().group);
  play(lane.startTool().group);

  expect(reader.value).toEqual({ calls: { bash: 2 } });
  expect(reader.messages.map(({ message }) => message.ops)).toEqual([
    [["r", { calls: {} }]],
    [["s", ["calls", "bash"], 1]],
    [
      ["#", 0, ["calls", "bash"]],
      ["s", 0, 2],
    ],
  ]);
});

test("[F1] new code of a facet gives every subscriber a base from the lane's view", () => {
  const { lane, host, play } = openStage(laneFacet);
  const readers = [new Reader(), new Reader()];
  for (const reader of readers) host.subscribe(reader);
  play(lane.startOperation());
  play(lane.prompt("hello"));

  host.reset({ ...laneFacet, initial: (view) => ({ ...view, transcript: [] }) });

  for (const reader of readers) {
    expect(reader.messages.at(-1)?.message.ops[0]?.[0]).toBe("r");
    expect(reader.seqs).toEqual([0, 1, 2, 3]);
    expect(reader.value).toEqual({ transcript: [], operation: { id: lane.operationId, tools: [] } });
  }
});

test("[F2] a group is folded, flushed and encoded once, and all subscribers are handed the same text", () => {
  const { lane, host, play } = openStage(laneFacet);
  const readers = Array.from({ length: 50 }, () => new Reader());
  for (const reader of readers) host.subscribe(reader);

  play([...lane.startOperation(), ...lane.prompt("build"), ...lane.startMessage(), ...lane.say("yes")]);

  expect(host.counters).toMatchObject({ batches: 1, encodes: 1, bases: 1 });
  const shared = readers[0]?.messages[1];
  expect(readers.every(({ messages }) => messages.length === 2 && messages[1] === shared)).toBe(true);
});

test("[F2] a group that changes nothing sends nothing, and nobody's absence costs an encoding", () => {
  const { lane, host, play } = openStage(laneFacet);
  play(lane.startOperation());
  const reader = new Reader();
  host.subscribe(reader);

  host.deliver([]);

  expect(host.counters).toMatchObject({ batches: 0, encodes: 0 });
  expect(reader.messages).toHaveLength(1);
});

test("[F2] a late joiner gets a base of its own and then the shared stream, which it can decode from there", () => {
  const { lane, host, play } = openStage(laneFacet);
  const early = new Reader();
  host.subscribe(early);
  play(lane.startOperation());
  const { id, group } = lane.startTool();
  play(group);
  for (const text of ["a", "b", "c"]) play(lane.write(id, text));

  const late = new Reader();
  host.subscribe(late);
  for (const text of ["d", "e", "f"]) play(lane.write(id, text));

  expect(late.seqs).toEqual([5, 6, 7, 8]);
  expect(early.seqs).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(late.messages.slice(1)).toEqual(early.messages.slice(6));
  expect(late.value).toEqual(host.snapshot());
  expect(early.value).toEqual(host.snapshot());
});

test("[E3] who joins from within a delivery has the batch in its base and does not get it again", () => {
  const { lane, host, play } = openStage(laneFacet);
  const late = new Reader();
  const joiner = new Reader();
  host.subscribe({
    receive: (message) => {
      joiner.receive(message);
      if (joiner.messages.length === 2) host.subscribe(late);
    },
    end: () => {},
  });

  play(lane.startOperation());
  play(lane.prompt("x"));

  expect(late.seqs).toEqual([1, 2]);
  expect(late.value).toEqual(host.snapshot());
});

test("[E3] who is given a base from within a delivery has the batch in it and does not get it again", () => {
  const { lane, host, play } = openStage(laneFacet);
  const doubting = new Reader();
  let resync = (): void => {};
  host.subscribe({ receive: ({ message }) => message.seq === 2 && resync(), end: () => {} });
  ({ resync } = host.subscribe(doubting));

  play(lane.startOperation());
  play(lane.prompt("x"));
  play(lane.prompt("y"));

  expect(doubting.seqs).toEqual([0, 1, 2, 3]);
  expect(doubting.messages[2]?.message.ops[0]?.[0]).toBe("r");
  expect(doubting.value).toEqual(host.snapshot());
});

test("[L1] X25: an event that cannot be placed leads to one base for all, whatever else its group holds", () => {
  const { lane, view, host, play } = openStage(laneFacet);
  const readers = [new Reader(), new Reader()];
  for (const reader of readers) host.subscribe(reader);
  play(lane.startOperation());

  play([unknownUpdate, unknownUpdate, ...lane.prompt("after"), unknownUpdate]);

  expect(host.counters.resets).toBe(1);
  expect(host.snapshot()).toEqual(view);
  for (const reader of readers) {
    expect(reader.seqs).toEqual([0, 1, 2]);
    expect(reader.messages[2]?.message.ops.map(([verb]) => verb)).toEqual(["r"]);
    expect(reader.value).toEqual(view);
  }
});

test("[L1] what a facet's code throws halfway through an event counts as an event that was not placed", () => {
  const faulty: Facet<{ seen: string[] }> = {
    id: "faulty",
    initial: (view) => ({ seen: view.transcript.map(({ id }) => id) }),
    reduce(state, event) {
      if (event.type !== "entry_added") return true;
      state.seen.push("half");
      throw new TypeError("a bug");
    },
  };
  const { lane, host, play } = openStage(faulty);
  const reader = new Reader();
  host.subscribe(reader);

  play(lane.startOperation());
  play(lane.prompt("x"));

  expect(reader.value).toEqual({ seen: [lane.entries[0]?.id] });
});

test("[F2] a subscriber in doubt gets a base for itself alone", () => {
  const { lane, host, play } = openStage(laneFacet);
  const doubting = new Reader();
  const other = new Reader();
  const subscription = host.subscribe(doubting);
  host.subscribe(other);
  play(lane.startOperation());

  subscription.resync();
  play(lane.prompt("x"));

  expect(doubting.seqs).toEqual([0, 1, 1, 2]);
  expect(other.seqs).toEqual([0, 1, 2]);
  expect(doubting.value).toEqual(host.snapshot());
});

test("[F2] bases that are asked for without a change in between are made once", () => {
  const { host } = openStage(laneFacet);

  for (let count = 0; count < 1_000; count += 1) host.subscribe(new Reader());

  expect(host.counters.bases).toBe(1);
});

test("after close everyone has the end once, later events go nowhere, and who joins gets the last state and the end", () => {
  const { lane, host, play } = openStage(laneFacet);
  const reader = new Reader();
  const left = new Reader();
  host.subscribe(reader);
  host.subscribe(left).close();
  play(lane.startOperation());

  host.close();
  host.close();
  play(lane.prompt("late"));
  host.reset();
  const late = new Reader();
  host.subscribe(late);

  expect([reader.ends, late.ends, left.ends]).toEqual([1, 1, 0]);
  expect(reader.seqs).toEqual([0, 1]);
  expect(late.value).toEqual(reader.value);
  expect(late.messages).toHaveLength(1);
});

test("who is owed a base can have it after the end too", () => {
  const { lane, host, play } = openStage(laneFacet);
  const slow = new Reader();
  const subscription = host.subscribe(slow);
  play(lane.startOperation());
  host.close();

  subscription.resync();
  subscription.close();
  subscription.resync();

  expect(slow.seqs).toEqual([0, 1, 1]);
});

test.each([laneFacet, chatFacet])(
  "[F2] O32: 2,000 chunks of 64 bytes cost a subscriber of $id at most three times their bytes",
  (facet) => {
    const { lane, host, play } = openStage<object>(facet);
    const sent = { bytes: 0 };
    play(lane.startOperation());
    const { id, group } = lane.startTool();
    play(group);
    host.subscribe({ receive: ({ json }) => (sent.bytes += json.length), end: () => {} });

    for (let chunk = 0; chunk < 2_000; chunk += 1) {
      play(lane.write(id, `${String(chunk).padStart(63, "cc -c src/")}\n`));
    }

    expect(sent.bytes).toBeGreaterThan(2_000 * 64);
    expect(sent.bytes).toBeLessThanOrEqual(3 * 2_000 * 64);
  },
);

test("[F2] O33: a group with replacements between appends gives the last text, and path ids stay valid", () => {
  const { lane, host, play } = openStage(laneFacet);
  const reader = new Reader();
  host.subscribe(reader);
  play(lane.startOperation());
  const { id, group } = lane.startTool();
  play(group);

  const replace = (text: string): EventGroup => [
    ...lane.editTool(id, (output) => (output.content = [{ type: "text", text }])),
    ...lane.rebase(id),
  ];
  play([...replace("a"), ...lane.write(id, "b"), ...replace("ab"), ...lane.write(id, "c")]);
  for (const text of ["d", "e", "f"]) play(lane.write(id, text));

  expect((reader.value as LaneView).operation?.tools[0]?.output).toEqual({
    ...emptyOutput(),
    content: [{ type: "text", text: "abcdef" }],
    truncation: { ...emptyOutput().truncation, totalBytes: 5 },
  });
  expect(reader.value).toEqual(host.snapshot());
});

test.each([laneFacet, chatFacet])(
  "[E3] after any sequence of events, joins, doubts and resets every subscriber of $id holds the host's state",
  (facet) => {
    for (const seed of seedsOf(process.env["CI"] === "true" ? 200 : 10)) {
      const random = seededRandom(seed);
      const { lane, host, play } = openStage<object>(facet);
      const joined: { reader: Reader; subscription: ReturnType<typeof host.subscribe> }[] = [];
      for (let step = 0; step < 150; step += 1) {
        const chance = random();
        const one = joined[Math.floor(random() * joined.length)];
        if (chance < 0.1) {
          const reader = new Reader();
          joined.push({ reader, subscription: host.subscribe(reader) });
        } else if (chance < 0.15) one?.subscription.resync();
        else if (chance < 0.17) one?.subscription.close();
        else if (chance < 0.19) play([unknownUpdate]);
        else if (chance < 0.3) play([...randomStep(lane, random), ...randomStep(lane, random)]);
        else play(randomStep(lane, random));
        if (chance >= 0.15 && chance < 0.17 && one !== undefined) joined.splice(joined.indexOf(one), 1);
      }

      // One more joins at the end, so that no run of chances leaves nobody to compare.
      const last = new Reader();
      joined.push({ reader: last, subscription: host.subscribe(last) });
      for (const { reader } of joined) expect(reader.value, `seed ${seed}`).toEqual(host.snapshot());
    }
  },
);
