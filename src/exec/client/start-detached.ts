import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { ExecError } from "../errors.js";
import { inheritEnvironment } from "../local/environment/command-environment.js";
import type { Environment } from "../local/environment/command-environment.js";

export interface StartDetachedOptions {
  readonly words: readonly [program: string, ...args: string[]];
  /** What of it the harness itself holds is kept back. */
  readonly environment: Environment;
  /** Where its output goes. */
  readonly logPath: string;
}

export interface DetachedProgram {
  readonly pid: number;
  /** The last line of what it has said, of this start or of one before. */
  lastWords(): string;
}

/** The shell ends at once, so the program is nobody's child: no stop of a tree that this process is in finds it there. */
const START = 'umask 077; log=$1; shift; "$@" </dev/null >>"$log" 2>&1 & echo $!';

/** Starts a program that goes on when this process has ended, in a session of its own, holding nothing of this one. */
export function startDetached({ words, environment, logPath }: StartDetachedOptions): Promise<DetachedProgram> {
  mkdirSync(dirname(logPath), { recursive: true, mode: 0o700 });
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown): void => {
      reject(new ExecError("link_lost", `cannot start the exec host: ${why}; see ${logPath}`, { cause }));
    };
    const shell = spawn("/bin/sh", ["-c", START, "spillway", logPath, ...words], {
      cwd: "/",
      detached: true,
      env: { ...inheritEnvironment(environment, {}).variables },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let told = "";
    shell.stdout.setEncoding("utf8").on("data", (text: string) => (told += text));
    shell.once("error", (cause) => fail(cause.message, cause));
    shell.once("close", (code) => {
      const pid = Number(told);
      if (code === 0 && pid > 0) resolve({ pid, lastWords: () => readLastLine(logPath) });
      else fail(`its shell ended with code ${code}`);
    });
  });
}

function readLastLine(path: string): string {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "";
  } catch {
    return "";
  }
}
