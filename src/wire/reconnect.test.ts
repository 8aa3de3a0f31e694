import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ChatState } from "../facet/index.js";
import type { LaneView } from "../lane/index.js";
import { seededRandom, seedsOf } from "../lane/fixtures/random.js";
import { randomStep } from "../lane/fixtures/simulated-lane.js";
import { follow } from "./client/index.js";
import type { Connection, Timer } from "./client/index.js";
import { ChaosProxy } from "./fixtures/chaos-proxy.js";
import { chatPath, lanePath, ServedLane, serveLane, tokens } from "./fixtures/served-lane.js";
import { connectToStream, createWireServer } from "./index.js";

/** Pauses and silences pass twenty times as fast. */
const quickTimer: Timer = (delayMs, callback) => {
  const handle = setTimeout(callback, delayMs / 20);
  return { cancel: () => clearTimeout(handle) };
};
const heartbeatMs = 200;
/** Enough for the head and a first base, and no more than a part of what comes then. */
const FORWARDED_BYTES = 9_000;

const finds = [4_711];
const seeds = seedsOf(process.env["CI"] === "true" ? 6 : 1, finds);

test.each(seeds)(
  "[C2] after any cuts, stalls, half frames and restarts each consumer holds the host's value (seed %i)",
  async (seed) => {
    const wanted = process.env["CI"] === "true" ? 50 : 12;
    const random = seededRandom(seed);
    await using stage = await serveLane({ heartbeatMs });
    let { server } = stage;
    let source = stage.source;
    const proxy = new ChaosProxy(stage.socketPath, random);
    const socketPath = await proxy.listen();
    const connect = (path: string) => (): Connection => connectToStream({ socketPath, token: tokens.view }, path);
    const chat = follow<ChatState>({ connect: connect(chatPath), timer: quickTimer });
    const full = follow<LaneView>({ connect: connect(lanePath), timer: quickTimer });

    let restarts = 0;
    // Until each kind has been there, too: a number of disturbances alone would now and then leave one out.
    while (proxy.disturbances < wanted || restarts < 2 || Math.min(...Object.values(proxy.counts)) === 0) {
      source.play(randomStep(source.lane, random));
      if (random() < 0.01) {
        restarts += 1;
        proxy.cutAll();
        await server.close({ graceMs: 0 });
        source = new ServedLane(source);
        server = createWireServer({ source, tokens, heartbeatMs });
        await server.listenUnix(stage.socketPath);
      }
      await pause(1);
    }
    proxy.isCalm = true;
    while (server.counters.open < 2) await pause(1);
    source.play(
      source.lane.operationId === undefined ? source.lane.startOperation() : source.lane.prompt("the last word"),
    );
    source.finish();

    expect(await chat.ended).toEqual({ reason: "end" });
    expect(await full.ended).toEqual({ reason: "end" });
    expect(chat.consumer.value).toEqual(source.chat.snapshot());
    expect(full.consumer.value).toEqual(source.full.snapshot());
    expect(chat.consumer.error).toBeUndefined();
    await server.close();
    await proxy.close();
  },
);

// X31 of the reports: what a new connection is given must show by itself.
test("[C2] a consumer that connects anew while nothing is printed is current with the base alone", async () => {
  await using stage = await serveLane();
  const { source } = stage;
  source.play(source.lane.startOperation());
  const { id, group } = source.lane.startTool();
  source.play(group);
  const proxy = new ChaosProxy(stage.socketPath, () => 0);
  proxy.isCalm = true;
  const socketPath = await proxy.listen();
  const states: string[] = [];
  const changed: (() => void)[] = [];
  const following = follow<ChatState>({
    connect: () => connectToStream({ socketPath, token: tokens.view }, chatPath),
    timer: quickTimer,
    onState: (state) => {
      states.push(state);
      for (const look of changed) look();
    },
  });
  const entered = (state: string, count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (states.filter((one) => one === state).length >= count) resolve();
      };
      changed.push(look);
      look();
    });
  await entered("following", 1);

  proxy.cutAll();
  await entered("waiting", 1);
  source.play(source.lane.write(id, "printed while the line was cut"));
  await entered("following", 2);

  expect(following.consumer.value).toEqual(source.chat.snapshot());
  following.stop();
  await proxy.close();
});

// A chance below 0.5 cuts, below 0.8 closes one half, and any other stalls: see the proxy.
test.each([
  ["a connection that is cut within a frame (O34)", 0.3],
  ["a connection that is closed by halves within a frame (O34)", 0.6],
  ["a connection that dies within a frame without a word (X30)", 0.9],
])("[C2] %s while a call ends and 300 updates pass is made good by one base", async (_name, chance) => {
  await using stage = await serveLane({ heartbeatMs });
  const { source } = stage;
  source.play(source.lane.startOperation());
  const { id, group } = source.lane.startTool();
  source.play(group);
  const proxy = new ChaosProxy(stage.socketPath, () => chance, FORWARDED_BYTES / chance ** 2);
  const socketPath = await proxy.listen();
  const bases: number[] = [];
  let isFollowing = (): void => {};
  let isLost = (): void => {};
  const followed = new Promise<void>((resolve) => (isFollowing = resolve));
  const lost = new Promise<void>((resolve) => (isLost = resolve));
  const following = follow<ChatState>({
    connect: () => connectToStream({ socketPath, token: tokens.view }, chatPath),
    timer: quickTimer,
    onState: (state) => (state === "waiting" ? isLost() : state === "following" && isFollowing()),
  });
  following.consumer.onChange(({ seq, batch }) => batch[0]?.[0] === "r" && bases.push(seq));
  await followed;

  source.play(source.lane.write(id, "x".repeat(2 * FORWARDED_BYTES)));
  for (let index = 0; index < 300; index += 1) source.play(source.lane.write(id, `line ${index}\n`));
  source.play(source.lane.endTool(id));
  await lost;
  expect(proxy.disturbances).toBe(1);
  expect(following.consumer.value?.rows[0]).toMatchObject({ state: "running" });
  proxy.isCalm = true;
  source.finish();

  expect(await following.ended).toEqual({ reason: "end" });
  expect(following.consumer.value).toEqual(source.chat.snapshot());
  expect(following.consumer.value?.rows[0]).toMatchObject({ state: "done" });
  expect(bases).toEqual([2, 304]);
  expect(following.consumer.counters.applied).toBe(2);
  await proxy.close();
});
