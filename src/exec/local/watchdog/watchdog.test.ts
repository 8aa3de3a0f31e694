import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createRandom, runSeed } from "../../../../test/support/random.js";
import { openTestEnv, processesWith, uniqueSeconds, until } from "../fixtures/test-env.js";
import { createSpillRoot, DAY_MS, setAge } from "../spills/fixtures/spill-root.js";
import { isAlive, processesMarked, startHost, watchdogOf } from "./fixtures/host-process.js";
import type { HostStart } from "./fixtures/host.js";
import type { HostProcess } from "./fixtures/host-process.js";

const SEED = runSeed();
const KILLS = process.env["CI"] === "true" ? 25 : 3;

const hosts: HostProcess[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) host.kill();
});

async function open(start: HostStart): Promise<HostProcess> {
  const host = await startHost(start);
  hosts.push(host);
  return host;
}

const hostWith = (...commands: string[]): Promise<HostProcess> => open({ commands });

test("[X9] a host that is killed takes every kind of tree with it, and then its watchdog goes", async () => {
  const seconds = uniqueSeconds();
  const host = await hostWith(
    `echo up; sleep ${seconds}`,
    `setsid sleep ${seconds} & echo up; wait`,
    `( ( setsid sh -c 'sleep ${seconds}' & ) & ); echo up; sleep ${seconds}`,
    `trap '' TERM; echo up; while :; do sleep ${seconds}; done`,
    `sh -c "trap '' TERM HUP INT; sleep ${seconds} & wait" & echo up; wait`,
    `sleep ${seconds} | env -i sleep ${seconds} | cat & echo up; wait`,
    `env -i sleep ${seconds} </dev/null >/dev/null 2>&1 & echo up`,
    `sleep ${seconds} </dev/null >/dev/null 2>&1 & echo up`,
  );
  await until(() => processesWith(`sleep ${seconds}`).length >= 10);
  const watchdog = watchdogOf(host);

  await host.end({ signal: "SIGKILL" });

  await until(() => !isAlive(watchdog));
  expect(processesMarked(host.markers)).toEqual([]);
  expect(processesWith(seconds)).toEqual([]);
});

test("[X9] O23: an endless writer ends with its killed host, and what it saved is within its quota and swept", async () => {
  const root = createSpillRoot();
  const spillFolder = join(root.folder, "s_1");
  const host = await open({ commands: ["exec yes up"], spillFolder, maxSpillBytes: 1_000_000 });
  const file = join(spillFolder, `${host.markers[0]}.log`);
  await until(() => existsSync(file) && statSync(file).size === 1_000_000);
  const watchdog = watchdogOf(host);

  await host.end({ signal: "SIGKILL" });
  await until(() => !isAlive(watchdog));

  expect(processesMarked(host.markers)).toEqual([]);
  expect(statSync(file).size).toBe(1_000_000);
  setAge(file, 8 * DAY_MS);
  expect((await root.sweep()).removed.map(({ path }) => path)).toEqual([file]);
});

test(
  `[X9] a host that is killed while it starts commands leaves none of them (seed ${SEED})`,
  { timeout: 300_000 },
  async () => {
    const random = createRandom(SEED);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const seconds = uniqueSeconds();
      const host = await hostWith("echo up");
      const watchdog = watchdogOf(host);
      for (let command = 0; command < 8; command += 1) host.tell(`run sleep ${seconds} & wait`);
      await passTime(random() * 40);

      await host.end({ signal: "SIGKILL" });

      await until(() => !isAlive(watchdog));
      expect(processesWith(seconds)).toEqual([]);
    }
  },
);

test.each([
  ["exits without closing", "exit"],
  ["has nothing more to do", "end"],
])("[X9] a host that %s leaves neither what it left running nor a watchdog", async (_name, order) => {
  const seconds = uniqueSeconds();
  const host = await hostWith(`sleep ${seconds} </dev/null >/dev/null 2>&1 & echo up`);
  const watchdog = watchdogOf(host);
  expect(processesWith(seconds)).toHaveLength(1);

  await host.end({ order });

  await until(() => !isAlive(watchdog) && processesWith(seconds).length === 0);
});

test("[X9] signals to the watchdog and to the host's group do not end it", async () => {
  const seconds = uniqueSeconds();
  const host = await hostWith(`echo up; sleep ${seconds}`);
  const watchdog = watchdogOf(host);
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const) process.kill(watchdog, signal);

  expect(await host.order("run true")).toBe("true");
  expect(host.watchdog()).toBe(watchdog);
  const fields = readFileSync(`/proc/${watchdog}/stat`, "utf8").split(") ")[1]?.split(" ");
  expect(fields?.slice(2, 4)).toEqual([String(watchdog), String(watchdog)]);

  await host.end({ signal: "SIGKILL" });
  await until(() => !isAlive(watchdog) && processesWith(seconds).length === 0);
});

test("[X9] a watchdog that was killed is there again at the next command, and knows what runs", async () => {
  const seconds = uniqueSeconds();
  const host = await hostWith(`echo up; sleep ${seconds}`);
  const first = watchdogOf(host);
  process.kill(first, "SIGKILL");
  await until(() => !isAlive(first));

  expect(await host.order("run true")).toBe("true");
  const second = watchdogOf(host);
  expect(second).not.toBe(first);

  await host.end({ signal: "SIGKILL" });
  await until(() => !isAlive(second) && processesWith(seconds).length === 0);
});

test("[X9] the watchdog holds none of the host's descriptors, and its own environment", async () => {
  const host = await hostWith("echo up");
  const watchdog = watchdogOf(host);

  const inherited = openFiles(process.pid);
  expect(openFiles(watchdog).filter((file) => !inherited.includes(file))).toEqual([expect.stringMatching(/^socket:/)]);
  expect(readFileSync(`/proc/${watchdog}/environ`, "utf8")).not.toMatch(/SPILLWAY|HOME=/);

  await host.end({ order: "end" });
  await until(() => !isAlive(watchdog));
});

test("[X17] commands do not hold the watchdog's pipe, and many cost the host no descriptor", async () => {
  const first = openTestEnv();
  const { text } = await first.run("ls -l /proc/self/fd");
  await first.close();
  const before = readdirSync("/proc/self/fd").length;

  const second = openTestEnv();
  for (let call = 0; call < 20; call += 1) await second.run("true");
  await second.close();

  expect(text).not.toContain("socket:");
  // Node gives a closed pipe back some time later.
  await until(() => readdirSync("/proc/self/fd").length <= before);
});

/** The moment of a kill is what is tried here, so time itself has to pass. */
function passTime(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function openFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      return [readlinkSync(join(folder, fd))];
    } catch {
      return [];
    }
  });
}
