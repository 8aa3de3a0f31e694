import { expect, test } from "vitest";
import { chatFacet, createFacetHost } from "../facet/index.js";
import { seededRandom, seedsOf } from "../lane/fixtures/random.js";
import { randomStep, SimulatedLane } from "../lane/fixtures/simulated-lane.js";
import { emptyLaneView, reduceLaneSnapshot } from "../lane/index.js";
import { connectLocally } from "./index.js";

test.each(seedsOf(1))(
  "[C2] consumers in the host's process hold its state after every group, and have its end (seed %i)",
  async (seed) => {
    const random = seededRandom(seed);
    const lane = new SimulatedLane();
    const view = emptyLaneView();
    const host = createFacetHost(chatFacet, () => structuredClone(view));
    const texts: string[] = [];
    const connections = [connectLocally(host, { onMessage: (json) => texts.push(json) })];

    for (let step = 0; step < 150; step += 1) {
      const group = randomStep(lane, random);
      for (const event of group) reduceLaneSnapshot(view, event);
      host.deliver(group);
      if (random() < 0.03) connections.push(connectLocally(host));
      for (const { consumer } of connections) expect(consumer.value).toEqual(host.snapshot());
    }
    host.close();

    await Promise.all(connections.map(({ ended }) => ended));
    expect(texts.length).toBe(host.counters.batches + 1);
    expect(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBe(host.counters.bytesEach);
  },
);

test("[C2] what a message changed is told with its text, from the first base on, and a base can be asked for", () => {
  const lane = new SimulatedLane();
  const host = createFacetHost(chatFacet, emptyLaneView);
  const told: [seq: number, verb: string | undefined, json: string][] = [];

  const { consumer, resync } = connectLocally(host, {
    onChange: ({ seq, batch }, json) => told.push([seq, batch[0]?.[0], json]),
  });
  host.deliver(lane.startOperation());
  resync();

  expect(told.map(([seq, verb]) => [seq, verb])).toEqual([
    [0, "r"],
    [1, "s"],
    [1, "r"],
  ]);
  expect(told.every(([seq, , json]) => (JSON.parse(json) as { seq: number }).seq === seq)).toBe(true);
  expect(consumer.value).toEqual(host.snapshot());
});

test("a connection that was closed hears nothing more", () => {
  const lane = new SimulatedLane();
  const host = createFacetHost(chatFacet, emptyLaneView);
  const { consumer, close } = connectLocally(host);

  close();
  host.deliver(lane.startOperation());

  expect(consumer.value?.operation).toBeNull();
});
