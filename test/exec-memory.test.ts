import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { connectCommand } from "../src/exec/client/connect-command.js";
import { connectExecHost } from "../src/exec/client/exec-client.js";
import { hostWords, layerAddress, openHostPlace } from "../src/exec/host/fixtures/host-programs.js";
import type { HostPlace } from "../src/exec/host/fixtures/host-programs.js";
import { DEFAULT_MAX_BYTES, getOrThrow } from "../src/exec/index.js";
import type { ExecClient } from "../src/exec/index.js";
import { createOutputCapture } from "../src/exec/output/output-capture.js";
import { systemClock } from "../src/exec/clock.js";
import { processesWith } from "../src/exec/local/fixtures/test-env.js";
import { createFollower } from "../src/testing/exec/stage.js";
import { listenIn } from "./support/exec-links.js";
import { repository } from "./support/files.js";

const isCi = process.env["CI"] === "true";
const MIB = 1_048_576;
const LIMIT = { timeout: 600_000 };
/** What X14 allows: the cap and 32 MiB. */
const ROOM_BYTES = DEFAULT_MAX_BYTES + 32 * MIB;

const places: HostPlace[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.dispose();
});

test("[X14] O01: memory after many calls is that after a few", LIMIT, async () => {
  const [calls, lines] = isCi ? [200, 2_000_000] : [12, 200_000];
  const folder = mkdtempSync(join(tmpdir(), "spillway-calls-"));
  const program = join(repository, "test/fixtures/exec/run-commands.mjs");
  const args = ["--expose-gc", program, layerAddress(), folder, `seq 1 ${lines}`, String(calls)];

  const { stdout } = await promisify(execFile)(process.execPath, args);
  rmSync(folder, { recursive: true, force: true });

  const sizes = stdout.trim().split("\n").map(Number);
  expect(sizes).toHaveLength(calls);
  expect((sizes.at(-1) ?? 0) - (sizes[4] ?? 0)).toBeLessThan(40 * MIB);
});

interface MeasuredHost {
  readonly env: ExecClient;
  readonly heard: { readonly up: string; readonly down: string };
  /** The most memory that the host's process has had. */
  peakBytes(): number;
}

/** A host as a child, whose engine lets little garbage pile up: what is asked here is what the host holds. */
async function openMeasured(place: HostPlace): Promise<MeasuredHost> {
  const [program, ...args] = hostWords({ kind: "stdio", root: place.root, cwd: place.folder() });
  const { connect, heard } = listenIn(connectCommand([program, "--max-semi-space-size=2", ...args]));
  const env = await connectExecHost({ connect });
  const [line = ""] = processesWith(place.root).filter((found) => found.includes("host-program"));
  const status = `/proc/${Number.parseInt(line, 10)}/status`;
  const peakBytes = (): number => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, "utf8"))?.[1]) * 1_024;
  return { env, heard, peakBytes };
}

const FLOOD_MIB = isCi ? 1_000 : 32;

test.each([
  ["short lines", `yes | head -c ${FLOOD_MIB * MIB}`],
  ["one line", `tr '\\0' x </dev/zero | head -c ${FLOOD_MIB * MIB}`],
  ["NULs", `head -c ${FLOOD_MIB * MIB} /dev/zero`],
  ["random bytes", `head -c ${(FLOOD_MIB / 4) * MIB} /dev/urandom`],
])(
  "[X14] a flood of %s through a host: it stays small, and only bounded updates cross",
  LIMIT,
  async (_name, command) => {
    const place = openHostPlace();
    places.push(place);
    const { env, heard, peakBytes } = await openMeasured(place);
    getOrThrow(await env.exec(`${command} | head -c 8000000`, { capture: { spill: true } }));
    const [before, toldBefore] = [peakBytes(), heard.down.length];
    const follower = createFollower();

    const result = getOrThrow(await env.exec(command, { capture: { spill: true }, onUpdate: follower.onUpdate }));

    const total = result.truncation.totalBytes;
    expect(total).toBeGreaterThanOrEqual((FLOOD_MIB / 4) * MIB);
    expect(result.spill).toMatchObject({ bytes: total, complete: true });
    expect(follower.view?.truncation).toEqual(result.truncation);
    expect(peakBytes() - before).toBeLessThanOrEqual(ROOM_BYTES);
    // Two windows, and what the pace of 102,400 bytes a second lets through besides.
    const seconds = result.durationMs / 1_000 + 1;
    expect(heard.down.length - toldBefore).toBeLessThan(6 * 2 * DEFAULT_MAX_BYTES + seconds * 2 * 102_400);
    await env.close();
  },
);

test(
  "[X14] O02: one huge line in a host that is shared holds up no other session, and is told as what it is",
  LIMIT,
  async () => {
    const bytes = isCi ? 157_286_400 : 40 * MIB;
    const place = openHostPlace();
    places.push(place);
    const { env, peakBytes } = await openMeasured(place);
    const before = peakBytes();
    const beats = createFollower();
    const heart = env.exec("for i in $(seq 1 20); do echo beat $i; sleep 0.1; done", { onUpdate: beats.onUpdate });
    await beats.shows("beat 1\n");
    const huge = createFollower();

    const result = getOrThrow(
      await env.exec(`head -c ${bytes} /dev/zero | tr '\\0' x`, { capture: { spill: true }, onUpdate: huge.onUpdate }),
    );
    getOrThrow(await heart);

    expect(result.truncation).toMatchObject({ totalBytes: bytes, totalLines: 1, partialLineBytes: bytes });
    expect(huge.text).toBe("x".repeat(DEFAULT_MAX_BYTES));
    expect(beats.text).toBe(Array.from({ length: 20 }, (_, index) => `beat ${index + 1}\n`).join(""));
    expect(peakBytes() - before).toBeLessThan(64 * MIB);
    await env.close();
  },
);

test("[X14] X34: whoever follows an endless flood holds a window, however long it follows", LIMIT, async () => {
  const place = openHostPlace();
  places.push(place);
  const { env } = await openMeasured(place);
  const follower = createFollower();
  let largest = 0;
  const stop = new AbortController();
  const wanted = (isCi ? 2_000 : 50) * MIB;

  const ended = await env.exec(
    "yes",
    {
      onUpdate(update) {
        follower.onUpdate?.(update);
        const { view, text } = follower;
        largest = Math.max(largest, text.length);
        if ((view?.truncation.totalBytes ?? 0) > wanted) stop.abort();
      },
    },
    { signal: stop.signal },
  );

  expect(ended).toMatchObject({ ok: false, error: { code: "aborted" } });
  expect(follower.view?.truncation.totalBytes).toBeGreaterThan(wanted);
  expect(largest).toBeLessThanOrEqual(DEFAULT_MAX_BYTES);
  await env.close();
});

test("[X14] X01: twice as many small writes cost about twice as much, not four times", async () => {
  const writes = isCi ? 500_000 : 100_000;
  const chunk = Buffer.from("123456789\n");
  const measure = async (count: number): Promise<number> => {
    const capture = createOutputCapture({
      limits: undefined,
      secrets: [],
      clock: systemClock,
      onUpdate: () => undefined,
      onDrain: () => undefined,
    });
    const begun = process.cpuUsage();
    for (let write = 0; write < count; write += 1) {
      capture.push(0, chunk);
      // The env's own reads give the event loop its turns.
      if (write % 1_000 === 0) await new Promise(setImmediate);
    }
    capture.end(0);
    await capture.settle();
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  };
  await measure(writes);
  const ratios: number[] = [];

  for (let round = 0; round < 3; round += 1) ratios.push((await measure(2 * writes)) / (await measure(writes)));

  // One round that nothing else got into is enough; what grows with the square shows in every one.
  expect(Math.min(...ratios)).toBeLessThan(2.6);
});
