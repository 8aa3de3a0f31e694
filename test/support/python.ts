import { execFileSync, spawn } from "node:child_process";
import type { SpawnOptions } from "node:child_process";
import { join } from "node:path";
import { repository } from "./files.js";

export const pythonClient = join(repository, "clients", "python");

/** Whether there is a Python here. CI must have one, so there it is not asked. */
export const hasPython = process.env["CI"] === "true" || findsPython();

/** What a test's title says where it is skipped. */
export const whyNoPython = hasPython ? "" : " (skipped: no python3 of 3.9 or newer here)";

export interface PythonEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningPython {
  /** What came so far on standard error. */
  readonly remarks: string;
  readonly ended: Promise<PythonEnd>;
  /** Resolves once standard output or standard error matches. */
  said(pattern: RegExp): Promise<void>;
  kill(): void;
}

/** Starts `python3` with the client to import, and `input` to read. */
export function startPython(
  args: readonly string[],
  options: { input?: string; env?: NodeJS.ProcessEnv } = {},
): RunningPython {
  const settings: SpawnOptions = {
    cwd: pythonClient,
    env: { ...process.env, ...options.env, PYTHONDONTWRITEBYTECODE: "1" },
  };
  const child = spawn("python3", args, settings);
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("python3 has no pipes");
  const text = { stdout: "", stderr: "" };
  const looks = new Set<() => void>();
  const collect = (name: "stdout" | "stderr") => (data: string) => {
    text[name] += data;
    for (const look of Array.from(looks)) look();
  };
  stdout.setEncoding("utf8").on("data", collect("stdout"));
  stderr.setEncoding("utf8").on("data", collect("stderr"));
  stdin.on("error", () => undefined);
  stdin.end(options.input ?? "");
  const ended = new Promise<PythonEnd>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...text }));
  });
  return {
    get remarks() {
      return text.stderr;
    },
    ended,
    kill: () => void child.kill(),
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(text.stdout) || pattern.test(text.stderr)) resolve();
        };
        looks.add(look);
        ended.then(
          () => reject(new Error(`python3 ended without saying ${pattern}:\n${text.stdout}${text.stderr}`)),
          reject,
        );
        look();
      }),
  };
}

function findsPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
