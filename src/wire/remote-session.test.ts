import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ChatState } from "../facet/index.js";
import { seededRandom, seedsOf } from "../lane/fixtures/random.js";
import { randomStep } from "../lane/fixtures/simulated-lane.js";
import { follow } from "./client/index.js";
import type { Following } from "./client/index.js";
import { chatPath, outputOf, serveLane, summary, tokens } from "./fixtures/served-lane.js";
import type { ServedStage } from "./fixtures/served-lane.js";
import { connectToStream, createRelayShelf, createWireServer, openRemoteSession, WireError } from "./index.js";
import type { WireServer, WireSource, WireTarget } from "./index.js";

interface RelayStage extends AsyncDisposable {
  /** Of the process that runs the session. */
  readonly host: ServedStage;
  /** Of the process that serves it to others. */
  readonly server: WireServer;
  readonly target: WireTarget;
  readonly source: WireSource;
}

async function serveElsewhere(): Promise<RelayStage> {
  const host = await serveLane();
  const relays = createRelayShelf();
  const control: WireTarget = { socketPath: host.socketPath, token: tokens.control };
  const source: WireSource = {
    sessions: async () => [summary],
    session: (id) => openRemoteSession(control, id, relays),
  };
  const server = createWireServer({ source, tokens });
  const { host: name, port } = await server.listenTcp();
  return {
    host,
    server,
    source,
    target: { host: name, port, token: tokens.view },
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 0 });
      await host[Symbol.asyncDispose]();
    },
  };
}

function followChat(target: WireTarget): Following<ChatState> {
  return follow<ChatState>({ connect: () => connectToStream(target, chatPath) });
}

async function untilEqual(following: Following<ChatState>, stage: ServedStage): Promise<void> {
  while (JSON.stringify(following.consumer.value) !== JSON.stringify(stage.source.chat.snapshot())) await pause(1);
}

test.each(seedsOf(1))(
  "[C2] consumers of a process that serves another's session hold the value of that session's host (seed %i)",
  async (seed) => {
    await using stage = await serveElsewhere();
    const { source } = stage.host;
    const random = seededRandom(seed);
    const followings = [followChat(stage.target)];

    for (let step = 0; step < 200; step += 1) {
      source.play(randomStep(source.lane, random));
      if (step % 40 === 0) followings.push(followChat(stage.target));
      if (step % 5 === 0) await pause(1);
    }
    while (stage.server.counters.open < followings.length) await pause(1);
    source.finish();

    for (const { ended, consumer } of followings) {
      expect(await ended).toEqual({ reason: "end" });
      expect(consumer.value).toEqual(source.chat.snapshot());
      expect(consumer.error).toBeUndefined();
    }
  },
);

test("[F2] any number of consumers elsewhere cost the session's process one subscriber, and none once they left", async () => {
  await using stage = await serveElsewhere();
  const followings = Array.from({ length: 20 }, () => followChat(stage.target));
  for (const following of followings) await untilEqual(following, stage.host);
  expect(stage.host.server.counters).toMatchObject({ open: 1, opened: 1 });

  for (const following of followings) following.stop();
  await stage.host.server.idle(10_000);

  expect(stage.host.server.counters.open).toBe(0);
  const again = followChat(stage.target);
  await untilEqual(again, stage.host);
  expect(stage.host.server.counters.opened).toBe(2);
  again.stop();
});

// X31 of the reports: a stream whose producer died must not look alive.
test("[C2] when the session's process is lost, consumers elsewhere are cut and find out what became of it", async () => {
  await using stage = await serveElsewhere();
  const states: string[] = [];
  const following = follow<ChatState>({
    connect: () => connectToStream(stage.target, chatPath),
    onState: (state, why) => states.push(`${state} ${why?.code ?? ""}`.trim()),
  });
  await untilEqual(following, stage.host);

  await stage.host.server.close({ graceMs: 0 });
  while (!states.some((state) => state.startsWith("waiting"))) await pause(1);

  await expect(stage.source.session("s_1")).rejects.toMatchObject({ code: "unavailable" });
  following.stop();
});

test("[W3] pages, outputs and aborts of another's session are its own answers", async () => {
  await using stage = await serveElsewhere();
  const { source } = stage.host;
  source.play(source.lane.startOperation());
  for (let index = 0; index < 5; index += 1) source.play(source.lane.prompt(`prompt ${index}`));
  const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => index % 251);
  source.outputs.set("call_1", outputOf(bytes, false));
  source.outputs.set("call_0", outputOf(new Uint8Array()));

  const session = await stage.source.session("s_1");
  const output = await session?.output("op_1", "call_1");

  expect(session).toMatchObject({ summary, lanes: [{ id: "main", facets: ["chat", "lane"], takesMessages: true }] });
  expect(await session?.entries("main", { before: 3, limit: 2 })).toMatchObject({
    from: 1,
    entries: [{ text: "prompt 1" }, { text: "prompt 2" }],
  });
  expect(output).toMatchObject({ bytes: 5_000, complete: false });
  expect(await collect(output?.read(10, 3_010))).toEqual(Buffer.from(bytes.subarray(10, 3_010)));
  expect(await session?.output("op_1", "call_0")).toMatchObject({ bytes: 0 });
  expect(await session?.output("op_1", "call_9")).toBeUndefined();
  await expect(session?.output("op_1", "call_gone")).rejects.toMatchObject({ code: "gone", message: /swept on/ });
  expect(await session?.abort("main", "enough")).toBe(true);
  expect(source.aborts).toEqual(["enough"]);
  source.play(source.lane.endOperation());
  expect(await session?.abort("main", "again")).toBe(false);
  await expect(session?.facet("main", "nope")).rejects.toMatchObject({ code: "not_found" });
  expect(await stage.source.session("s_2")).toBeUndefined();
});

test("[W4] [W5] deciding, saying and taking back in another's session are its own answers", async () => {
  await using stage = await serveElsewhere();
  const { source } = stage.host;
  const session = await stage.source.session("s_1");

  expect(await session?.say("main", "Build it.", "prompt")).toEqual({ operationId: "op_1" });
  const call = source.askFor({ command: "make" });
  expect(await session?.approve("main", call, { decision: "deny", reason: "later" })).toBeUndefined();
  await expect(session?.approve("main", call, { decision: "allow" })).rejects.toMatchObject({ code: "conflict" });
  expect(await session?.say("main", "in debug mode", "steer")).toMatchObject({ message: { id: "q_2", kind: "steer" } });
  expect(await session?.withdraw("main", "q_2")).toBe(true);
  expect(await session?.withdraw("main", "q_2")).toBe(false);
  await expect(session?.say("side", "x", "steer")).rejects.toMatchObject({ code: "not_found" });
  await expect(session?.say("main", " ", "steer")).rejects.toMatchObject({ code: "invalid_request" });

  expect(source.decisions).toEqual([{ decision: "deny", reason: "later" }]);
  expect(source.said).toEqual(["Build it.", "in debug mode"]);
});

test("[C3] a process that is not there, or no server of ours, is unavailable in words", async () => {
  await using stage = await serveElsewhere();
  const ask = (target: WireTarget): Promise<unknown> => openRemoteSession(target, "s_1", createRelayShelf());

  await expect(ask({ socketPath: `${stage.host.socketPath}-gone`, token: "x" })).rejects.toThrow(/does not answer/);
  await expect(ask({ ...stage.target, token: "wrong" })).rejects.toBeInstanceOf(WireError);
});

async function collect(pieces: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces ?? []) all.push(piece);
  return Buffer.concat(all);
}
