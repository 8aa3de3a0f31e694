import { once } from "node:events";
import { setImmediate as tick } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSseParser } from "./client/index.js";
import type { ServerSentEvent } from "./client/index.js";
import { followFacet, reached } from "./fixtures/followed-facet.js";
import { openStalled } from "./fixtures/raw-http.js";
import { chatPath, lanePath, serveLane, tokens } from "./fixtures/served-lane.js";
import type { ServedStage } from "./fixtures/served-lane.js";

async function readEvents(
  stage: ServedStage,
  count: number,
  headers: Record<string, string> = {},
): Promise<ServerSentEvent[]> {
  const response = await fetch(stage.origin + chatPath, {
    headers: { authorization: `Bearer ${tokens.view}`, ...headers },
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const parser = createSseParser();
  const events: ServerSentEvent[] = [];
  for await (const piece of response.body ?? []) {
    events.push(...parser.push(piece));
    if (events.length >= count) break;
  }
  return events;
}

test("[W1] a stream opens with the protocol and the facet, then a base, then messages by one, whatever was seen before", async () => {
  await using stage = await serveLane();
  stage.source.play(stage.source.lane.startOperation());

  const reading = readEvents(stage, 4, { "last-event-id": "4711" });
  while (stage.server.counters.open === 0) await tick();
  stage.source.play(stage.source.lane.prompt("one"));
  stage.source.play(stage.source.lane.prompt("two"));
  const [open, ...messages] = await reading;

  expect(open).toEqual({ type: "open", data: '{"protocol":2,"facet":"chat"}' });
  expect(messages.map(({ data }) => (JSON.parse(data) as { seq: number }).seq)).toEqual([1, 2, 3]);
  expect(messages.map(({ data }) => Object.keys(JSON.parse(data) as object).join())).toEqual(Array(3).fill("seq,ops"));
  expect(messages[0]?.data).toContain('[["r",');
});

test("[W1] a message's id is its seq, in one data line", async () => {
  await using stage = await serveLane();
  const socket = await openStalled(stage.port, chatPath, tokens.view);
  let text = "";
  socket.on("data", (piece) => (text += String(piece)));
  socket.resume();
  while (stage.server.counters.open === 0) await tick();
  stage.source.play([...stage.source.lane.startOperation(), ...stage.source.lane.prompt("a\nb\u2028c\r\n")]);
  stage.source.finish();
  await once(socket, "close");

  const frames = text.slice(text.indexOf("\r\n\r\n") + 4).split("\n\n");
  expect(text.toLowerCase()).not.toContain("transfer-encoding");
  expect(frames.map((frame) => frame.split("\n").map((line) => line.slice(0, 8)))).toEqual([
    ["event: o", 'data: {"'],
    ["id: 0", 'data: {"'],
    ["id: 1", 'data: {"'],
    ["event: e", "data: {}"],
    [""],
  ]);
});

test("[W1] a stream that is asked for behind another request begins after that one's answer", async () => {
  await using stage = await serveLane();
  const { source, server } = stage;
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  source.sessions = async () => asked.then(() => []);
  const socket = await openStalled(stage.port, "/api/sessions", tokens.view);
  socket.write(
    `GET ${chatPath} HTTP/1.1\r\nHost: 127.0.0.1:${stage.port}\r\nAuthorization: Bearer ${tokens.view}\r\n\r\n`,
  );
  while (server.counters.open === 0) await tick();
  source.play(source.lane.startOperation());
  expect(server.counters.pendingBytes).toBeGreaterThan(0);

  answer();
  while (server.counters.pendingBytes > 0) await tick();
  source.play(source.lane.prompt("after it"));
  source.finish();
  let text = "";
  socket.on("data", (piece) => (text += String(piece)));
  socket.resume();
  await once(socket, "close");

  const begun = text.indexOf("event: open");
  expect(text.slice(0, begun)).toContain(`"sessions":[]`);
  expect(text.slice(begun).match(/^(event: \w+|id: \d+)$/gm)).toEqual([
    "event: open",
    "id: 0",
    "id: 1",
    "id: 2",
    "event: end",
  ]);
});

// O17 of the reports: characters that some readers take for the end of a line.
test("[W1] text with every sign that ends a line somewhere is one message in one line, and arrives as it was", async () => {
  await using stage = await serveLane();
  const following = followFacet(stage.tcp);
  await reached(following.consumer, 0);
  const signs = "a\u2028b\u2029c\u0085d\u000be\u000cf\u001cg\u001dh\u001ei\rj\nk\r\nl";
  const frames = await openStalled(stage.port, chatPath, tokens.view);
  let bytes = Buffer.alloc(0);
  frames.on("data", (piece: Buffer) => (bytes = Buffer.concat([bytes, piece])));
  frames.resume();
  while (stage.server.counters.open < 2) await tick();

  stage.source.play([...stage.source.lane.startOperation(), ...stage.source.lane.prompt(signs)]);
  const { id, group } = stage.source.lane.startTool({ command: signs });
  stage.source.play([...group, ...stage.source.lane.write(id, signs)]);
  stage.source.finish();
  await once(frames, "close");
  expect(await following.ended).toEqual({ reason: "end" });

  expect(following.consumer.value).toEqual(stage.source.chat.snapshot());
  expect(JSON.stringify(following.consumer.value).split(JSON.stringify(signs))).toHaveLength(4);
  // The head's lines and empty one, and then two lines and an empty one for each of five events.
  const [, body = ""] = bytes.toString("utf8").split("\r\n\r\n");
  expect(body.split("\n")).toHaveLength(5 * 3 + 1);
});

// X44 of the reports: ids by the clock repeat.
test("[W1] a thousand messages in one turn have a thousand rising numbers", async () => {
  await using stage = await serveLane();
  const { consumer } = followFacet(stage.unix);
  await reached(consumer, 0);
  const seqs: number[] = [];
  consumer.onChange(({ seq }) => seqs.push(seq));

  stage.source.play(stage.source.lane.startOperation());
  const { id, group } = stage.source.lane.startTool();
  stage.source.play(group);
  for (let index = 0; index < 998; index += 1) stage.source.play(stage.source.lane.write(id, "x"));
  await reached(consumer, 1_000);

  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  expect(new Set(seqs).size).toBe(seqs.length);
  expect(consumer.value).toEqual(stage.source.chat.snapshot());
});

test("[W1] a host that is quiet shows that it lives", async () => {
  await using stage = await serveLane({ heartbeatMs: 20 });

  const events = await readEvents(stage, 4);

  expect(events.map(({ type }) => type)).toEqual(["open", "message", "heartbeat", "heartbeat"]);
});

test("[W1] the end comes after all that was delivered, and the consumer stops", async () => {
  await using stage = await serveLane();
  const targets = [stage.unix, stage.tcp];
  const followings = targets.map((target) => followFacet(target));
  for (const { consumer } of followings) await reached(consumer, 0);

  stage.source.play(stage.source.lane.startOperation());
  stage.source.play(stage.source.lane.prompt("last words"));
  stage.source.finish();

  for (const { consumer, ended } of followings) {
    expect(await ended).toEqual({ reason: "end" });
    expect(consumer.value).toEqual(stage.source.chat.snapshot());
  }
  expect(stage.server.counters.ended).toBe(2);
});

test("[W1] who comes after the end has the last state and the end", async () => {
  await using stage = await serveLane();
  stage.source.play(stage.source.lane.startOperation());
  stage.source.finish();

  const { consumer, ended } = followFacet(stage.unix);

  expect(await ended).toEqual({ reason: "end" });
  expect(consumer.value).toEqual(stage.source.chat.snapshot());
});

test("[W1] a subscription ends with its connection", async () => {
  await using stage = await serveLane();
  const following = followFacet(stage.tcp);
  await reached(following.consumer, 0);

  following.stop();
  await stage.server.idle(10_000);

  expect(stage.server.counters.open).toBe(0);
  expect(stage.source.streams.get("chat")?.subscribers).toBe(0);
});

test("[W2] a server takes no more subscribers than its most, and says so", async () => {
  await using stage = await serveLane({ maxSubscribers: 1 });
  const { consumer } = followFacet(stage.unix);
  await reached(consumer, 0);

  const response = await fetch(stage.origin + chatPath, { headers: { authorization: `Bearer ${tokens.view}` } });

  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "unavailable" } });
});

test("[F2] a hundred subscribers of a facet cost one encoding a batch, over the wire too", async () => {
  await using stage = await serveLane();
  const { source } = stage;
  const followings = Array.from({ length: 100 }, () => followFacet(stage.unix));
  for (const { consumer } of followings) await reached(consumer, 0);

  source.play(source.lane.startOperation());
  const { id, group } = source.lane.startTool();
  source.play(group);
  for (let index = 0; index < 50; index += 1) source.play(source.lane.write(id, `line ${index}\n`));

  for (const { consumer } of followings) {
    await reached(consumer, 52);
    expect(consumer.value).toEqual(source.chat.snapshot());
  }
  expect(source.chat.counters).toMatchObject({ batches: 52, encodes: 52 });
  for (const following of followings) following.stop();
});

test("[C3] closing gives subscribers what was sent, and cuts those whose stream goes on", async () => {
  await using stage = await serveLane();
  const { consumer, ended } = followFacet(stage.unix);
  const other = followFacet(stage.unix, lanePath);
  await reached(consumer, 0);
  await reached(other.consumer, 0);

  stage.source.play(stage.source.lane.startOperation());
  stage.source.chat.close();
  await stage.server.close();

  expect(await ended).toEqual({ reason: "end" });
  expect(consumer.value).toEqual(stage.source.chat.snapshot());
  await reached(other.consumer, 1);
  expect(other.state).not.toBe("ended");
  other.stop();
});

test("[C3] closing waits for a subscriber that does not drain no longer than it was told", async () => {
  await using stage = await serveLane();
  const { source, server } = stage;
  source.play(source.lane.startOperation());
  const stalled = await openStalled(stage.port, lanePath, tokens.view);
  while (server.counters.open === 0) await tick();
  for (let index = 0; index < 200; index += 1) {
    source.play(source.lane.prompt("p".repeat(60_000)));
    if (index % 10 === 0) await tick();
  }
  source.finish();

  await server.close({ graceMs: 50 });

  expect(server.counters.open).toBe(0);
  stalled.destroy();
});
