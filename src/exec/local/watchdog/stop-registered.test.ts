import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createProcTable } from "../processes/proc-table.js";
import { isAlive } from "./fixtures/host-process.js";

const sleepers: ChildProcess[] = [];
afterEach(() => sleepers.splice(0).forEach((child) => child.kill("SIGKILL")));

/** A process that leads a group and carries no marker. */
function startSleeper(): { readonly pid: number; readonly started: number } {
  const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
  sleepers.push(child);
  const { pid } = child;
  if (pid === undefined) throw new Error("sleep cannot be started");
  return { pid, started: createProcTable().startOf(pid) };
}

async function stopRegistered(input: string): Promise<number> {
  const program = join(import.meta.dirname, "stop-registered.ts");
  const loader = join(import.meta.dirname, "source-loader.mjs");
  const child = spawn(process.execPath, ["--import", loader, program], { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end(input);
  const [code] = (await once(child, "exit")) as [code: number];
  return code;
}

test("[X9] a group whose id was given to somebody else is left alone, the shell's own group is not", async () => {
  const { pid, started } = startSleeper();

  expect(await stopRegistered(`[["exec_gone",${pid},${started - 500},${started - 100}]]\n`)).toBe(0);
  expect(isAlive(pid)).toBe(true);

  expect(await stopRegistered(`[["exec_here",${pid},${started}]]\n`)).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

test("[X9] the program that stops ends well where it was told nothing of use", async () => {
  expect(await stopRegistered("")).toBe(0);
  expect(await stopRegistered("[[]]\n")).toBe(0);
});
