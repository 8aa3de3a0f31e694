import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readHostFile } from "../../../src/exec/index.js";
import { repository } from "../../support/files.js";
import { callCli } from "./called-cli.js";

const main = join(repository, "dist", "bin", "spillway.js");

/** Builds what is due, by the stamp of the start script itself. */
export async function buildCli(): Promise<void> {
  const start = join(repository, "scripts", "start.mjs");
  await promisify(execFile)(process.execPath, [start, "--build-only"], { cwd: repository });
}

/** A folder for state and files of one test, and the built CLI run with it. */
export interface CliStage extends Disposable {
  readonly home: string;
  /** Starts the built CLI with pipes. */
  start(args: readonly string[], options?: CliOptions): RunningCli;
  /** Runs the CLI's program in this process, where the process is not what is tested. */
  call(args: readonly string[]): Promise<CliEnd>;
  /** Starts it on a terminal of its own, of the given size. */
  startOnTerminal(args: readonly string[], options?: CliOptions & TerminalSize): RunningCli;
  /** Runs shell text on a terminal of its own. */
  shellOnTerminal(text: string): RunningCli;
  /** Runs shell text in which `$SPILLWAY` is the built CLI. */
  shell(text: string): Promise<CliEnd>;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether standard output is left unread until `readOn`. */
  readonly paused?: boolean;
}

export interface TerminalSize {
  readonly columns?: number;
  readonly rows?: number;
}

export interface RunningCli {
  readonly pid: number;
  readonly ended: Promise<CliEnd>;
  /** What came so far, standard output before standard error. */
  readonly output: string;
  kill(signal: NodeJS.Signals): void;
  /** What a person types. */
  type(keys: string): void;
  /** Closes its standard input. */
  endInput(): void;
  readOn(): void;
  /** Resolves once the output matches. */
  said(pattern: RegExp): Promise<void>;
}

export interface CliEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** With an exec host of its own, or with commands that run in process as the tests' environment says. */
export function openCliStage({ hosted = false }: { readonly hosted?: boolean } = {}): CliStage {
  const home = mkdtempSync(join(tmpdir(), "spillway-cli-"));
  const state = join(home, "state");
  const environment = (options: CliOptions): NodeJS.ProcessEnv => ({
    ...process.env,
    SPILLWAY_HOME: state,
    SPILLWAY: `${process.execPath} ${main}`,
    ...(hosted ? { SPILLWAY_IN_PROCESS: "" } : {}),
    ...options.env,
  });
  const begin = (file: string, args: readonly string[], options: CliOptions): RunningCli =>
    follow(spawn(file, args, { cwd: options.cwd ?? home, env: environment(options) }), options.paused ?? false);
  return {
    home,
    start: (args, options = {}) => begin(process.execPath, [main, ...args], options),
    call: async (args) => ({
      signal: null,
      ...(await callCli({ argv: args, environment: environment({}), cwd: home })),
    }),
    startOnTerminal(args, options = {}) {
      const words = [process.execPath, main, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
      const text = `stty cols ${options.columns ?? 80} rows ${options.rows ?? 24}; exec ${words}`;
      return begin("script", ["-qefc", text, "/dev/null"], { env: { TERM: "xterm-256color" }, ...options });
    },
    shellOnTerminal: (text) =>
      begin("script", ["-qefc", text, "/dev/null"], { env: { TERM: "xterm-256color", SHELL: "/bin/bash" } }),
    shell: (text) => begin("bash", ["-c", text], {}).ended,
    [Symbol.dispose]() {
      const host = readHostFile(state);
      if (host !== undefined) process.kill(host.pid, "SIGTERM");
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function follow(child: ChildProcess, paused: boolean): RunningCli {
  const { stdin, stdout, stderr, pid } = child;
  if (stdin === null || stdout === null || stderr === null || pid === undefined) throw new Error("it was not started");
  const text = { stdout: "", stderr: "" };
  const looks = new Set<() => void>();
  const collect = (name: "stdout" | "stderr") => (data: string) => {
    text[name] += data;
    for (const look of Array.from(looks)) look();
  };
  const readOn = (): void => void stdout.setEncoding("utf8").on("data", collect("stdout"));
  stderr.setEncoding("utf8").on("data", collect("stderr"));
  if (!paused) readOn();
  stdin.on("error", () => undefined);
  const ended = new Promise<CliEnd>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, ...text }));
  });
  return {
    pid,
    ended,
    get output() {
      return `${text.stdout}${text.stderr}`;
    },
    kill: (signal) => child.kill(signal),
    type: (keys) => stdin.write(keys),
    endInput: () => stdin.end(),
    readOn,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(`${text.stdout}${text.stderr}`)) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        ended.then(
          () => reject(new Error(`it ended without saying ${pattern}:\n${text.stdout}${text.stderr}`)),
          reject,
        );
        look();
      }),
  };
}

/** The lines of `--json`, parsed. */
export function parseLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
