import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../fixtures/test-env.js";
import type { TreeRegistry } from "../processes/tree.js";
import { createWatchdog } from "./watchdog.js";

const mark = (marker: string) => ({ executionId: marker, marker });

interface Watched {
  readonly registry: TreeRegistry;
  /** Every process that the watchdog was so far. */
  readonly shells: readonly ChildProcess[];
  /** Ends the pipe as the death of the host would, and gives what the stop was told of; nothing where none was started. */
  endPipe(): Promise<string>;
}

/** A watchdog whose program only notes what it was told. */
function watch(shell = "/bin/sh"): Watched {
  const note = join(mkdtempSync(join(tmpdir(), "spillway-watchdog-")), "note");
  const shells: ChildProcess[] = [];
  const registry = createWatchdog({
    spawn: ((_program: string, args: string[], options: object) => {
      const child = spawn(shell, args, options);
      shells.push(child);
      return child;
    }) as unknown as typeof spawn,
    stopCommand: () => ["/bin/sh", "-c", `cat > ${note}`],
    environment: { PATH: "/usr/bin:/bin" },
  });
  return {
    registry,
    shells,
    async endPipe() {
      const last = shells.at(-1);
      last?.stdin?.destroy();
      await until(() => last?.exitCode !== null);
      return existsSync(note) ? readFileSync(note, "utf8").trim() : "";
    },
  };
}

test("[X9] the watchdog is told of a tree before it runs, of its shell, and no more of it at its end", async () => {
  const { registry, shells, endPipe } = watch();
  expect(shells).toHaveLength(0);

  await registry.register(mark("exec_a"));
  await registry.register(mark("exec_b"));
  registry.update({ ...mark("exec_b"), shell: { pid: 4_711, started: 5 } });
  await registry.register(mark("exec_c"));
  registry.release(mark("exec_a"));

  expect(shells).toHaveLength(1);
  expect(await endPipe()).toBe('[["exec_b",4711,5],["exec_c"]]');
});

test("[X9] nothing is started at the end of a host of which nothing is left", async () => {
  const { registry, endPipe } = watch();
  await registry.register(mark("exec_a"));
  registry.release(mark("exec_a"));
  registry.update({ ...mark("exec_a"), shell: { pid: 4_711, started: 5 } });

  expect(await endPipe()).toBe("");
});

test.each([
  ["garbage", "what is this\n\n\0\x1b[31m\n"],
  ["a line that the host could not finish", '[["exec_z"'],
])("[X9] %s on the pipe changes nothing", async (_name, garbage) => {
  const { registry, shells, endPipe } = watch();
  await registry.register(mark("exec_a"));
  shells[0]?.stdin?.write(garbage);

  expect(await endPipe()).toBe('[["exec_a"]]');
});

test("[X9] a watchdog that does not read any more is replaced, and stops nobody", async () => {
  const { registry, shells, endPipe } = watch();
  await registry.register(mark("exec_0"));
  shells[0]?.kill("SIGSTOP");
  let trees = 1;
  for (; shells.length === 1; trees += 1) await registry.register(mark(`exec_${trees}`));

  await until(() => shells[0]?.signalCode === "SIGKILL");
  expect(JSON.parse(await endPipe())).toHaveLength(trees);
});

test("[X9] a watchdog that cannot be started refuses the registration, and the next one tries again", async () => {
  const { registry, shells } = watch("/nowhere/sh");

  expect(() => registry.register(mark("exec_a"))).toThrow("watchdog");
  expect(() => registry.register(mark("exec_b"))).toThrow("watchdog");
  expect(shells).toHaveLength(2);
});
