import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CliStage } from "./built-cli.js";

const GONE_WITHIN_MS = 5_000;

/**
 * Live processes of a stage whose command line holds `text`; those that are about to end have a moment for it. The stage
 * is told by its state folder, which is in the environment of all that it starts.
 */
export async function findProcesses(text: string, { home }: CliStage): Promise<string[]> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  for (;;) {
    const found = listProcesses(text, join(home, "state"));
    if (found.length === 0 || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function listProcesses(text: string, state: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = read(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
      const isOurs = read(`/proc/${pid}/environ`).includes(`SPILLWAY_HOME=${state}\0`);
      return command.includes(text) && isOurs ? [`${pid} ${command}`] : [];
    });
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
