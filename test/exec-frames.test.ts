import { afterEach, expect, test } from "vitest";
import { connectExecHost } from "../src/exec/client/exec-client.js";
import { getOrThrow } from "../src/exec/index.js";
import { encodeFrame, FrameReader } from "../src/exec/link/frames.js";
import { MAX_FRAME_BYTES, PROTOCOL_VERSION } from "../src/exec/link/limits.js";
import { connectTo, openLocalHost } from "./support/exec-links.js";
import type { LocalHost } from "./support/exec-links.js";
import { createRandom, runSeed } from "./support/random.js";

const SEED = runSeed();
const ROUNDS = process.env["CI"] === "true" ? 500 : 60;

const hosts: LocalHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

test(`[X13] frames come out whole however their bytes are split (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  for (let round = 0; round < ROUNDS; round += 1) {
    const values = Array.from({ length: 8 }, (_, index) => ({ index, text: "é😀".repeat(Math.floor(random() * 400)) }));
    const bytes = Buffer.concat(values.map(encodeFrame));
    const reader = new FrameReader(MAX_FRAME_BYTES);
    const read: unknown[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + Math.floor(random() ** 3 * 2_000);
      for (const { value } of reader.push(bytes.subarray(at, end))) read.push(value);
      at = end;
    }
    expect(read).toEqual(values);
  }
});

test("[X13] a frame that announces more than is allowed is refused before its content comes", () => {
  const reader = new FrameReader(100);
  expect(() => Array.from(reader.push(Buffer.from([0, 0, 0, 101])))).toThrow(/101 bytes .* 100 are allowed/);
  expect(() => encodeFrame("x".repeat(MAX_FRAME_BYTES))).toThrow(/more than the 16777216/);
});

const hello = encodeFrame({ type: "hello", protocol: PROTOCOL_VERSION });
const request = (id: number, method: string, params: unknown): Buffer =>
  encodeFrame({ type: "request", id, method, params });

test.each([
  ["no frame", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ["no JSON", Buffer.concat([hello, Buffer.from([0, 0, 0, 2, 0x7b, 0x7b])])],
  ["no message", Buffer.concat([hello, encodeFrame([1, 2])])],
  ["an unknown type", Buffer.concat([hello, encodeFrame({ type: "toString" })])],
  ["another version", encodeFrame({ type: "hello", protocol: PROTOCOL_VERSION + 1 })],
  ["a request before the hello", request(1, "list", {})],
  ["two hellos", Buffer.concat([hello, hello])],
  ["a frame without end", Buffer.concat([hello, Buffer.from([255, 255, 255, 255])])],
  ["an id that is under way", Buffer.concat([hello, request(0, "open", { owner: "a" }), hangs(1), hangs(1)])],
])("[X13] %s ends the link and not the host", async (_name, bytes) => {
  const host = await openHost();
  const said = await sayTo(host, bytes);

  expect(said.startsWith("spillway exec host\n")).toBe(true);
  expect(await runsCommands(host)).toBe(true);
});

test(`[X13] whatever comes, the host goes on (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const host = await openHost();
  const valid = Buffer.concat([
    hello,
    request(0, "open", { owner: "fuzz" }),
    request(1, "plan", { command: "true", spill: true }),
    request(2, "files.read", { path: "x" }),
    request(3, "list", { all: true }),
    encodeFrame({ type: "ack", bytes: 10 }),
    encodeFrame({ type: "cancel", id: 2 }),
  ]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const bytes = Buffer.from(valid);
    for (let flip = 0; flip < 1 + random() * 6; flip += 1) {
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    }
    await sayTo(host, bytes.subarray(0, Math.floor((0.2 + random()) * bytes.length)));
  }
  expect(await runsCommands(host)).toBe(true);
});

/** A request that has no answer until it is cancelled. */
function hangs(id: number): Buffer {
  return request(id, "files.list", { path: "." });
}

async function openHost(): Promise<LocalHost> {
  const host = await openLocalHost();
  hosts.push(host);
  return host;
}

/** What the host says until the link ends. */
async function sayTo({ path }: LocalHost, bytes: Buffer): Promise<string> {
  const socket = await connectTo(path);
  const heard: Buffer[] = [];
  socket.on("data", (data: Buffer) => heard.push(data)).on("error", () => undefined);
  socket.end(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
  return Buffer.concat(heard).toString("latin1");
}

async function runsCommands({ connect }: LocalHost): Promise<boolean> {
  const env = await connectExecHost({ connect });
  const { exitCode } = getOrThrow(await env.exec("exit 5", {}));
  await env.close();
  return exitCode === 5;
}
