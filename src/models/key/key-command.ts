import { spawn } from "node:child_process";
import { ModelError } from "../contract.js";

/** Runs a command that prints a key and gives the first line of what it prints. */
export type RunKeyCommand = (command: string) => Promise<string>;

export const KEY_COMMAND_TIMEOUT_MS = 30_000;
export const MAX_KEY_COMMAND_OUTPUT_BYTES = 65_536;

export interface KeyCommandOptions {
  /** What the command is given. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default {@link KEY_COMMAND_TIMEOUT_MS}. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Runs commands with `/bin/sh`, in a process group of their own that is killed at the time limit. What they print on
 * stderr is shown to nobody: it could hold the key.
 */
export function createKeyCommandRunner({
  environment,
  timeoutMs = KEY_COMMAND_TIMEOUT_MS,
}: KeyCommandOptions): RunKeyCommand {
  return (command) =>
    new Promise((resolve, reject) => {
      const child = spawn("/bin/sh", ["-c", command], {
        env: { ...environment },
        stdio: ["ignore", "pipe", "ignore"],
        detached: true,
      });
      const chunks: Buffer[] = [];
      let size = 0;
      const fail = (what: string): void => {
        clearTimeout(timer);
        killGroup(child.pid);
        reject(
          new ModelError("key_command_failed", `The command that prints the key ${what}; run it by hand to see why.`),
        );
      };
      const timer = setTimeout(() => fail(`took more than ${timeoutMs / 1_000} s`), timeoutMs);
      child.stdout?.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_KEY_COMMAND_OUTPUT_BYTES) fail(`printed more than ${MAX_KEY_COMMAND_OUTPUT_BYTES} bytes`);
        else chunks.push(chunk);
      });
      child.on("error", () => fail("could not be started"));
      child.on("close", (exitCode, killedBy) => {
        if (exitCode !== 0) return fail(`ended with ${killedBy ?? `exit code ${exitCode}`}`);
        clearTimeout(timer);
        resolve(firstLine(Buffer.concat(chunks)));
      });
    });
}

function firstLine(output: Buffer): string {
  const [line = ""] = output.toString("utf8").split("\n", 1);
  return line.trim();
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
