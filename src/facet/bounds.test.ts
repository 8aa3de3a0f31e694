import { expect, test } from "vitest";
import { seededRandom, seedsOf } from "../lane/fixtures/random.js";
import { emptyOutput, randomStep, SimulatedLane } from "../lane/fixtures/simulated-lane.js";
import { emptyLaneView, reduceLaneSnapshot } from "../lane/index.js";
import type { EventGroup } from "../protocol/index.js";
import { chatFacet, createChatFacet, createFacetHost, createLaneFacet, laneFacet } from "./index.js";
import type { ChatState, Facet, FacetHost } from "./index.js";

const MIB = 1_048_576;

interface Stage<T extends object> {
  readonly lane: SimulatedLane;
  readonly host: FacetHost<T>;
  readonly play: (group: EventGroup) => void;
  /** Bytes of each message as they are handed to one who is there from the start. */
  readonly sizes: number[];
  readonly baseBytes: () => number;
}

function openStage<T extends object>(facet: Facet<T>): Stage<T> {
  const lane = new SimulatedLane();
  const view = emptyLaneView();
  const host = createFacetHost(facet, () => structuredClone(view));
  const sizes: number[] = [];
  host.subscribe({ receive: ({ json }) => sizes.push(Buffer.byteLength(json)), end: () => {} });
  return {
    lane,
    host,
    sizes,
    play(group) {
      for (const event of group) reduceLaneSnapshot(view, event);
      host.deliver(group);
    },
    baseBytes() {
      let bytes = 0;
      host.subscribe({ receive: ({ json }) => (bytes = Buffer.byteLength(json)), end: () => {} }).close();
      return bytes;
    },
  };
}

const facets: [string, Facet<object>, number][] = [
  ["lane", laneFacet, MIB],
  ["chat", chatFacet, 524_288 + 100],
];

test.each(facets)(
  "[F3] no base of %s exceeds its bound over a long history, and the newest entries stay",
  (_id, facet, maxBytes) => {
    const { lane, host, play, sizes, baseBytes } = openStage(facet);
    play(lane.startOperation());

    for (let call = 0; call < 60; call += 1) {
      const { id, group } = lane.startTool({ command: `make part-${call}` });
      play(group);
      play(lane.write(id, `${"line with 'quotes' and \\ \n".repeat(1_900)}part-${call} done\n`));
      play(lane.endTool(id));
      expect(baseBytes()).toBeLessThanOrEqual(maxBytes);
    }

    expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes);
    expect(baseBytes()).toBeGreaterThan(maxBytes / 2);
    expect(JSON.stringify(host.snapshot())).toContain("part-59 done");
    expect(JSON.stringify(host.snapshot())).not.toContain("part-0 done");
    expect(host.snapshot()).toMatchObject({ earlier: expect.any(Number) as number });
    expect(host.counters.resets).toBe(0);
  },
);

test.each(facets)("[F3] a base of %s fills its bound and does not exceed it", (_id, facet, maxBytes) => {
  const { lane, play, baseBytes } = openStage(facet);
  play(lane.startOperation());

  let largest = 0;
  for (let index = 0; index < 200; index += 1) {
    play(lane.prompt("p".repeat(10_000)));
    largest = Math.max(largest, baseBytes());
  }

  expect(largest).toBeLessThanOrEqual(maxBytes);
  expect(largest).toBeGreaterThan(0.95 * maxBytes);
});

test("[F3] unless told otherwise the chat holds 100 settled rows", () => {
  const { lane, host, play } = openStage(chatFacet);
  play(lane.startOperation());

  for (let index = 0; index < 130; index += 1) play(lane.prompt("short"));

  expect(host.snapshot().rows).toHaveLength(100);
  expect(host.snapshot().earlier).toBe(30);
});

// O18 of the reports: the state at its limit with four calls at full window and their details at theirs.
test.each(facets)(
  "[F3] four calls at all their limits do not make a base or a batch of %s larger than its bound",
  (_id, facet, maxBytes) => {
    const { lane, host, play, sizes, baseBytes } = openStage(facet);
    play(lane.startOperation());
    const ids = [1, 2, 3, 4].map((call) => {
      const { id, group } = lane.startTool({ command: `make part-${call}` });
      play(group);
      return id;
    });

    for (const id of ids) {
      play(lane.write(id, '"'.repeat(51_200)));
      play(lane.editTool(id, (output) => (output.details = { table: "\u2028".repeat(87_000) })));
      play(
        lane.editTool(id, (output) =>
          output.content.push({ type: "image", mediaType: "image/png", data: "A".repeat(8 * MIB) }),
        ),
      );
      play(lane.write(id, "still alive\n"));
      expect(baseBytes()).toBeLessThanOrEqual(maxBytes);
    }
    for (const id of ids) play(lane.endTool(id));
    play(lane.endOperation());

    expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes);
    expect(baseBytes()).toBeLessThanOrEqual(maxBytes);
    expect(host.counters.resets).toBe(0);
  },
);

test.each(facets)("[F3] a view that is larger than the bound of %s is opened within it", (_id, facet, maxBytes) => {
  const lane = new SimulatedLane();
  const view = emptyLaneView();
  const play = (group: EventGroup): void => {
    for (const event of group) reduceLaneSnapshot(view, event);
  };
  play(lane.startOperation());
  for (let index = 0; index < 90; index += 1) play(lane.prompt(`${index} ${"x".repeat(60_000)}`));
  const { id, group } = lane.startTool({ command: "make" });
  play([...group, ...lane.write(id, "x".repeat(50_000))]);
  const before = structuredClone(view);

  const host = createFacetHost(facet, () => view);

  expect(Buffer.byteLength(JSON.stringify(host.snapshot()))).toBeLessThanOrEqual(maxBytes);
  expect(JSON.stringify(host.snapshot())).toContain("89 xxx");
  expect(view).toEqual(before);
});

test("[F3] a message that alone exceeds the bound is withheld, goes on unseen, and ends as an entry to be had by page", () => {
  const { lane, host, play, baseBytes } = openStage(createLaneFacet({ maxBytes: 20_000 }));
  play(lane.startOperation());
  play(lane.prompt("talk"));
  play(lane.startMessage());
  play(lane.say("x".repeat(30_000)));

  expect(host.snapshot().operation?.message).toEqual({ id: lane.message?.id, role: "assistant", withheld: true });

  play(lane.say("and on"));
  play(lane.endMessage());
  expect(host.snapshot()).toEqual({ transcript: [], operation: { id: lane.operationId, tools: [] }, earlier: 2 });
  expect(baseBytes()).toBeLessThan(1_000);
});

test("[F3] of several open rows of the chat the largest are withheld, the others go on", () => {
  const { lane, host, play } = openStage<ChatState>(createChatFacet({ maxBytes: 40_000 }));
  play(lane.startOperation());
  const small = lane.startTool();
  play(small.group);
  const large = lane.startTool();
  play(large.group);
  play(lane.write(large.id, "x".repeat(39_000)));
  play(lane.write(small.id, "y".repeat(5_000)));
  play(lane.write(large.id, "z"));
  play(lane.write(small.id, "alive"));

  const [smallRow, largeRow] = host.snapshot().rows;
  expect(largeRow).toMatchObject({ withheld: true, state: "running" });
  expect(smallRow).toMatchObject({ output: { content: [{ text: `${"y".repeat(5_000)}alive` }] } });
});

test("[F3] measuring the state follows what changed: it is read whole once for every quarter that was written", () => {
  let reads = 0;
  const bound = {
    ...laneFacet.bound,
    maxBytes: 100_000,
    trim: (state: Parameters<NonNullable<typeof laneFacet.bound>["trim"]>[0], maxBytes: number): number => {
      reads += 1;
      return laneFacet.bound?.trim(state, maxBytes) ?? 0;
    },
  };
  const { lane, play } = openStage({ ...laneFacet, bound });
  play(lane.startOperation());
  const { id, group } = lane.startTool();
  play(group);

  for (let index = 0; index < 2_000; index += 1) play(lane.slide(id, index < 500 ? 0 : 100, `${"x".repeat(99)}\n`));

  const writtenBytes = 2_000 * 170;
  expect(reads).toBeLessThanOrEqual(1 + writtenBytes / 25_000);
});

test.each<[string, Facet<object>]>([
  ["lane", createLaneFacet({ maxBytes: 4_000 })],
  ["chat", createChatFacet({ maxBytes: 4_000, maxRows: 8 })],
])("[F3] any sequence keeps %s within its bound, without a reset", (_id, facet) => {
  for (const seed of seedsOf(process.env["CI"] === "true" ? 200 : 10)) {
    const random = seededRandom(seed);
    const { lane, host, play } = openStage(facet);
    for (let step = 0; step < 150; step += 1) {
      play(randomStep(lane, random));
      expect(Buffer.byteLength(JSON.stringify(host.snapshot())), `seed ${seed}`).toBeLessThanOrEqual(4_000);
    }
    expect(host.counters.resets, `seed ${seed}`).toBe(0);
  }
});

test("[F3] an output that fits is held whole", () => {
  const { lane, host, play } = openStage(laneFacet);
  play(lane.startOperation());
  const { id, group } = lane.startTool();
  play(group);
  play(lane.endTool(id));

  expect(host.snapshot().transcript).toMatchObject([{ output: emptyOutput() }]);
  expect(host.snapshot()).not.toHaveProperty("earlier");
});
