import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { dirname } from "node:path";
import { afterEach, expect, test } from "vitest";
import { connectCommand } from "../src/exec/client/connect-command.js";
import { connectDaemon } from "../src/exec/client/connect-daemon.js";
import { connectExecHost } from "../src/exec/client/exec-client.js";
import type { ClientStart } from "../src/exec/host/fixtures/client-program.js";
import { clientWords, endProcess, hostWords, openHostPlace } from "../src/exec/host/fixtures/host-programs.js";
import type { HostPlace } from "../src/exec/host/fixtures/host-programs.js";
import type { HostStart } from "../src/exec/host/fixtures/host-program.js";
import { hostPlaces, readHostFile } from "../src/exec/host/host-file.js";
import { getOrThrow } from "../src/exec/index.js";
import { socketChannel } from "../src/exec/link/socket-channel.js";
import { sayToken } from "../src/exec/link/token.js";
import { processesWith, uniqueSeconds, until } from "../src/exec/local/fixtures/test-env.js";
import { isAlive } from "../src/exec/local/watchdog/fixtures/host-process.js";
import { createFollower } from "../src/testing/exec/stage.js";
import { createRandom, runSeed } from "./support/random.js";

const SEED = runSeed();
const KILLS = process.env["CI"] === "true" ? 25 : 2;

const places: HostPlace[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.dispose();
});

function openPlace(limits: Partial<HostStart> = {}): HostPlace {
  const place = openHostPlace(limits);
  places.push(place);
  return place;
}

const LINES = 60_000;
const BUILD = `i=1; while [ $i -lt ${LINES} ]; do seq $i $((i + 999)); i=$((i + 1000)); sleep 0.02; done; exit 7`;

function numbers(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => `${first + index}\n`).join("");
}

test(
  `[X12] a client is killed in mid-output: the next one has the same run, whole (seed ${SEED})`,
  { timeout: 300_000 },
  async () => {
    const random = createRandom(SEED);
    const place = openPlace();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const owner = `s_${kill}`;
      const killed = await startClient(place, { owner, command: BUILD });
      const { executionId } = (await killed.nextLine()) as { executionId: string };
      for (let updates = Math.floor(random() * 6); updates >= 0; updates -= 1) await killed.nextLine();
      await killed.kill();

      const env = await connectExecHost({ connect: connectDaemon({ root: place.root }), owner });
      const pids = (await env.list()).flatMap((info) => (info.executionId === executionId ? info.pids : []));
      const follower = createFollower();
      const result = getOrThrow(await env.attach(executionId, { onUpdate: follower.onUpdate, runOnly: true }));

      expect(pids.length).toBeGreaterThan(0);
      expect(result).toMatchObject({ exitCode: 7, truncation: { totalLines: LINES, totalBytes: 348_894 } });
      expect(follower.text).toBe(numbers(LINES - 1_999, LINES));
      expect(readFileSync(result.spillPath ?? "", "utf8")).toBe(numbers(1, LINES));
      await env.close();
    }
  },
);

test("[X12] the host is killed: its executions are lost, with what is known of them, and nothing survives", async () => {
  const place = openPlace();
  const seconds = uniqueSeconds();
  const env = await connectExecHost({ connect: place.connect, owner: "s_1" });
  const follower = createFollower();
  const command = `echo up; setsid sleep ${seconds} & sleep ${seconds}`;
  const call = env.exec(command, { onUpdate: follower.onUpdate });
  await follower.shows("up");
  const before = env.host;

  await endProcess(place.pid() ?? 0, "SIGKILL");
  const ended = await call;

  expect(ended).toMatchObject({
    ok: false,
    error: { code: "execution_lost", result: { truncation: { totalBytes: 3, totalLines: 1 } } },
  });
  await until(() => processesWith(seconds).length === 0);
  expect(env.host.hostId).not.toBe(before.hostId);
  expect(getOrThrow(await env.exec("exit 3", {})).exitCode).toBe(3);
  await env.close();
});

test("[X12] what nobody has been there for is stopped, and the result says why", async () => {
  const place = openPlace({ maxUnattendedMs: 500 });
  const first = await connectExecHost({ connect: place.connect, owner: "s_1" });
  const { executionId } = getOrThrow(await first.start("echo up; sleep 300", {}));
  await first.disconnect();
  const other = await connectExecHost({ connect: place.connect, owner: "s_2" });
  const isEnded = async (): Promise<boolean> =>
    (await other.listAll()).some((info) => info.executionId === executionId && info.state === "ended");

  await until(isEnded);

  expect(await other.attach(executionId, {})).toMatchObject({ ok: false, error: { code: "abandoned" } });
  await other.close();
});

test("[X12] a quota that is reached while nobody is attached ends the execution, and one that is followed goes on", async () => {
  const place = openPlace({ maxSpillBytes: 1_000_000 });
  const env = await connectExecHost({ connect: place.connect });
  const capture = { spill: true };

  const { executionId } = getOrThrow(await env.start("yes", { capture }));
  await until(async () => (await env.list()).every(({ state }) => state === "ended"));
  const followed = getOrThrow(await env.exec("head -c 3000000 /dev/zero; exit 2", { capture }));

  expect(await env.attach(executionId, {})).toMatchObject({
    error: { code: "abandoned", result: { spill: { bytes: 1_000_000, reason: "quota" } } },
  });
  expect(followed).toMatchObject({ exitCode: 2, spill: { bytes: 1_000_000, reason: "quota" } });
  await env.close();
});

test("[X13] a folder has one host, however many start it at once, and another at once when it was killed", async () => {
  const place = openPlace();
  const clients = await Promise.all(Array.from({ length: 4 }, () => connectExecHost({ connect: place.connect })));
  expect(new Set(clients.map(({ host }) => host.hostId)).size).toBe(1);
  // The others find that there is one, and end.
  await until(() => processesWith(place.root).filter((line) => line.includes("host-program")).length === 1);
  for (const client of clients) await client.disconnect();

  await endProcess(place.pid() ?? 0, "SIGKILL");
  const next = await connectExecHost({ connect: place.connect });

  expect(next.host.hostId).not.toBe(clients[0]?.host.hostId);
  await next.close();
});

test("[X13] socket, token, lock and log are this user's alone, and without the token nobody is served", async () => {
  const place = openPlace();
  const env = await connectExecHost({ connect: place.connect });
  const { file, lock, log } = hostPlaces(place.root);
  const modes = [place.socketPath, file, lock, log].map((path) => statSync(path).mode & 0o777);
  const folders = [dirname(place.socketPath), dirname(file)].map((path) => statSync(path).mode & 0o777);

  const stranger = connectExecHost({
    connect: () =>
      new Promise((resolve) => {
        const socket = connect(place.socketPath, () => {
          sayToken(socket, "0".repeat(64));
          resolve(socketChannel(socket));
        });
      }),
  });

  await expect(stranger).rejects.toMatchObject({ code: "link_refused" });
  expect([modes, folders]).toEqual([
    [0o600, 0o600, 0o600, 0o600],
    [0o700, 0o700],
  ]);
  await env.close();
});

test("[X13] a host with nothing to do ends and leaves no announcement; one with a result that waits does not", async () => {
  const place = openPlace({ idleExitMs: 400 });
  const env = await connectExecHost({ connect: place.connect, owner: "s_1" });
  const { executionId } = getOrThrow(await env.start("exit 9", {}));
  await env.disconnect();
  const pid = place.pid() ?? 0;
  await new Promise((resolve) => setTimeout(resolve, 1_500));

  const again = await connectExecHost({ connect: connectDaemon({ root: place.root }), owner: "s_1" });
  expect(getOrThrow(await again.attach(executionId, {})).exitCode).toBe(9);
  await again.disconnect();

  await until(() => !isAlive(pid));
  expect(readHostFile(place.root)).toBeUndefined();
});

test("[X17] calls over a host leave no zombie, no child and no descriptor behind", { timeout: 120_000 }, async () => {
  const place = openPlace();
  const env = await connectExecHost({ connect: place.connect });
  const calls = process.env["CI"] === "true" ? 500 : 30;
  const run = async (): Promise<void> =>
    void getOrThrow(await env.exec("seq 1 5000 | tail -n 1", { capture: { spill: true } }));
  for (let call = 0; call < 10; call += 1) await run();
  const pid = place.pid() ?? 0;
  const before = openDescriptors(pid);

  for (let call = 0; call < calls; call += 1) await run();

  // Pipes are made ahead of need, at most 64 at a time, each with two ends.
  await until(() => openDescriptors(pid) <= before + 128);
  expect(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").length).toBe(1);
  await env.close();
});

test("[X13] a relay carries a link to the daemon, and its end ends no execution", async () => {
  const place = openPlace();
  await (await connectExecHost({ connect: place.connect })).close();
  const relay = connectCommand(hostWords({ kind: "relay", root: place.root }));
  const first = await connectExecHost({ connect: relay, owner: "s_1" });
  const { executionId } = getOrThrow(await first.start("sleep 0.3; echo done", {}));
  await first.disconnect();

  const second = await connectExecHost({ connect: relay, owner: "s_1" });
  const follower = createFollower();
  getOrThrow(await second.attach(executionId, { onUpdate: follower.onUpdate }));

  expect(follower.text).toBe("done\n");
  await second.close();
});

test("[X19] what the client's harness holds is in no command and in no output of the host", async () => {
  const place = openPlace();
  const canary = "zz-canary-4711-zz-canary";
  const environment = { ...process.env, ANTHROPIC_API_KEY: canary, PLAIN: "seen" };
  const env = await connectExecHost({ connect: place.connect, cwd: place.folder(), environment });
  getOrThrow(await env.files.write("leak", Buffer.from(`${canary}\n`)));
  const follower = createFollower();

  getOrThrow(await env.exec('cat leak; echo "[$ANTHROPIC_API_KEY] $PLAIN"', { onUpdate: follower.onUpdate }));

  expect(env.withheld).toContain("ANTHROPIC_API_KEY");
  expect(follower.text).not.toContain("canary");
  expect(follower.text.endsWith("[] seen\n")).toBe(true);
  await env.close();
});

function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

interface KilledClient {
  nextLine(): Promise<unknown>;
  kill(): Promise<void>;
}

async function startClient(place: HostPlace, start: Pick<ClientStart, "owner" | "command">): Promise<KilledClient> {
  const { root, socketPath } = place;
  const host = hostWords({ kind: "daemon", root, socketPath, idleExitMs: 20_000 });
  const [program, ...args] = clientWords({ ...start, root, cwd: place.folder(), hostWords: host });
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async nextLine() {
      const line = await lines.next();
      return line.done === true ? undefined : JSON.parse(line.value);
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
