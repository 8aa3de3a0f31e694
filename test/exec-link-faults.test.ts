import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { connectExecHost } from "../src/exec/client/exec-client.js";
import { getOrThrow } from "../src/exec/index.js";
import { createFollower } from "../src/testing/exec/stage.js";
import { createFastClock, createFaultyConnect, openLocalHost } from "./support/exec-links.js";
import type { LinkFate, LinkFault, LocalHost } from "./support/exec-links.js";
import { createRandom, runSeed } from "./support/random.js";

const SEED = runSeed();
const ROUNDS = process.env["CI"] === "true" ? 20 : 2;
const FAULTS: readonly LinkFault[] = ["reset", "stall", "half-close"];

const hosts: LocalHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function openHost(): Promise<LocalHost> {
  const host = await openLocalHost();
  hosts.push(host);
  return host;
}

const LINES = 40_000;
/** About a second of output, in pieces. */
const BUILD = `i=1; while [ $i -lt ${LINES} ]; do seq $i $((i + 999)); i=$((i + 1000)); sleep 0.02; done; exit 7`;

test.each(FAULTS)(
  `[X13] a link on which a %s comes at any byte loses no command and no byte (seed ${SEED})`,
  { timeout: 300_000 },
  async (fault) => {
    const random = createRandom(SEED);
    const { path } = await openHost();
    for (let round = 0; round < ROUNDS; round += 1) {
      const faults = 1 + Math.floor(random() * 4);
      const fates: LinkFate[] = Array.from({ length: faults }, () => ({
        fault,
        afterBytes: 1 + Math.floor(random() ** 2 * 30_000),
      }));
      let links = 0;
      const connect = createFaultyConnect(path, () => fates[links++]);
      const env = await connectExecHost({ connect, clock: createFastClock(10), giveUpMs: 600_000 });
      const follower = createFollower();

      const result = getOrThrow(await env.exec(BUILD, { capture: { spill: true }, onUpdate: follower.onUpdate }));

      expect(result).toMatchObject({ exitCode: 7, truncation: { totalLines: LINES, totalBytes: 228_894 } });
      expect(follower.view?.truncation).toEqual(result.truncation);
      expect(follower.view?.text).toBe(numbers(LINES - 1_999, LINES));
      expect(readFileSync(result.spillPath ?? "", "utf8")).toBe(numbers(1, LINES));
      expect(links).toBeGreaterThan(1);
      await env.close();
    }
  },
);

test("[X13] a host that cannot be reached again is a stated gap: what is known, and that it may go on", async () => {
  const { path } = await openHost();
  let links = 0;
  const connect = createFaultyConnect(path, () => {
    links += 1;
    if (links > 1) throw new Error("the network is down");
    return { fault: "reset", afterBytes: 20_000 };
  });
  const env = await connectExecHost({ connect, clock: createFastClock(10), giveUpMs: 2_000 });

  const ended = await env.exec(BUILD, {});

  expect(ended).toMatchObject({ ok: false, error: { code: "link_lost" } });
  if (ended.ok) return;
  expect(ended.error.message).toMatch(/may go on.*the network is down.*known up to \d+ bytes/s);
  expect(ended.error.result?.truncation.totalBytes).toBeGreaterThan(0);
  await env.disconnect();
});

test("[X13] files written, moved and removed while links are lost are so once", { timeout: 120_000 }, async () => {
  const random = createRandom(SEED);
  const { path } = await openHost();
  // Never long enough for all of it.
  const connect = createFaultyConnect(path, () => ({ fault: "reset", afterBytes: 250 + Math.floor(random() * 2_000) }));
  const env = await connectExecHost({ connect, clock: createFastClock(10), giveUpMs: 600_000 });

  for (let turn = 0; turn < 30; turn += 1) {
    const bytes = Buffer.from(`turn ${turn} `.repeat(20));
    getOrThrow(await env.files.write("new", bytes, { expect: "absent" }));
    getOrThrow(await env.files.rename("new", "moved"));
    expect(Buffer.compare(getOrThrow(await env.files.read("moved")).bytes, bytes)).toBe(0);
    getOrThrow(await env.files.remove("moved"));
  }
  await env.disconnect();
});

test("[X13] input that is written while links are lost is read once and in order", { timeout: 120_000 }, async () => {
  const random = createRandom(SEED);
  const { path, folder } = await openHost();
  const connect = createFaultyConnect(path, () => ({ fault: "reset", afterBytes: 250 + Math.floor(random() * 1_500) }));
  const env = await connectExecHost({ connect, clock: createFastClock(10), giveUpMs: 600_000 });
  const { executionId } = getOrThrow(await env.start("cat > got", { input: "open" }));

  for (let line = 0; line < 200; line += 1)
    getOrThrow(await env.writeInput(executionId, Buffer.from(`line ${line}\n`)));
  getOrThrow(await env.endInput(executionId));
  getOrThrow(await env.attach(executionId, {}));

  const expected = Array.from({ length: 200 }, (_, line) => `line ${line}\n`).join("");
  // An answer with all of it would be longer than any of these links lives.
  expect(readFileSync(join(folder, "got"), "utf8")).toBe(expected);
  await env.disconnect();
});

function numbers(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => `${first + index}\n`).join("");
}
