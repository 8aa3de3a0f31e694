import type { ChildProcess, spawn, StdioOptions } from "node:child_process";
import { closeSync, statSync } from "node:fs";
import { ExecError } from "../errors.js";
import { createCommandInput } from "./pipes/command-input.js";
import type { CommandInput } from "./pipes/command-input.js";
import { closeFifo } from "./pipes/fifo-pool.js";
import type { Fifo, FifoPool } from "./pipes/fifo-pool.js";
import type { ProcessTable } from "./processes/process-table.js";
import type { Shell } from "./processes/tree.js";
import type { Sandbox } from "./sandbox/sandbox.js";
import { complaintBeforeStart, SAY_STARTED } from "./sandbox/whether-started.js";

export interface LaunchInput {
  readonly shellPath: string;
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether it can be given something to read. */
  readonly hasInput: boolean;
  /** Where it runs, if not on the machine as it is. */
  readonly sandbox?: Sandbox | undefined;
}

export interface LaunchTools {
  readonly fifos: FifoPool;
  readonly spawn: typeof spawn;
  readonly table: ProcessTable;
}

export interface LaunchedShell {
  readonly shell: Shell;
  /** Descriptors to read its output from; the caller's to close. */
  readonly stdout: number;
  readonly stderr: number;
  readonly exited: Promise<ShellExit>;
  /** The caller's to close. */
  readonly input: CommandInput | undefined;
}

export interface ShellExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Starts a shell in a session and a group of its own, so without a terminal, with nothing to read unless it was asked for,
 * and two pipes to write to. What cannot be started is an {@link ExecError} `spawn_failed` that says why.
 */
export async function launchShell(input: LaunchInput, tools: LaunchTools): Promise<LaunchedShell> {
  const { stdout, stderr, stdin } = await takePipes(tools.fifos, input.hasInput);
  let child: ChildProcess;
  let exited: Promise<ShellExit>;
  try {
    const { program, args, cwd, stdio } = wordsFor(input, { stdin, stdout, stderr });
    child = tools.spawn(program, args, { cwd, env: input.environment, detached: true, stdio });
    exited = exitOf(child);
    if (child.pid === undefined) throw await spawnError(child);
    if (input.sandbox !== undefined) await checkStarted(child);
  } catch (cause) {
    for (const pipe of [stdout, stderr, stdin]) if (pipe !== undefined) closeFifo(pipe);
    throw describeSpawnFailure(cause, input);
  }
  // Only the command writes: the pipes end when the last of its processes closes them.
  closeSync(stdout.writeFd);
  closeSync(stderr.writeFd);
  if (stdin !== undefined) closeSync(stdin.readFd);
  const isSandbox = input.sandbox !== undefined;
  const shell: Shell = { pid: child.pid, started: tools.table.startOf(child.pid), isSandbox };
  return {
    shell,
    stdout: stdout.readFd,
    stderr: stderr.readFd,
    input: stdin === undefined ? undefined : createCommandInput(stdin.writeFd),
    exited: exited.finally(() => {
      shell.reaped = tools.table.now();
    }),
  };
}

interface SpawnWords {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly stdio: StdioOptions;
}

function wordsFor(input: LaunchInput, { stdin, stdout, stderr }: CommandPipes): SpawnWords {
  const { shellPath, cwd, sandbox } = input;
  const inherited = stdin?.readFd ?? "ignore";
  const shell = argumentsFor(input.command);
  if (sandbox === undefined) {
    return { program: shellPath, args: shell, cwd, stdio: [inherited, stdout.writeFd, stderr.writeFd] };
  }
  const [program, ...words] = sandbox.words(cwd);
  return {
    program,
    args: [...words, "/bin/sh", "-c", SAY_STARTED, shellPath, ...shell],
    cwd: "/",
    stdio: [inherited, "ignore", "pipe", stdout.writeFd, stderr.writeFd],
  };
}

/** @throws {ExecError} `spawn_failed` */
async function checkStarted(child: ChildProcess): Promise<void> {
  const complaint = await complaintBeforeStart(child);
  if (complaint === undefined) return;
  const why = complaint === "" ? "bubblewrap ended without a word" : complaint;
  throw new ExecError("spawn_failed", `not started, because the sandbox cannot be made: ${why}`);
}

/** Else a command that begins as an option does would be one. Not before others: `--` is no argument that every shell knows. */
function argumentsFor(command: string): string[] {
  return /^[-+]/.test(command) ? ["-c", "--", command] : ["-c", command];
}

interface CommandPipes {
  readonly stdout: Fifo;
  readonly stderr: Fifo;
  readonly stdin: Fifo | undefined;
}

async function takePipes(fifos: FifoPool, hasInput: boolean): Promise<CommandPipes> {
  try {
    const stdin = hasInput ? await fifos.takeInput() : undefined;
    const [stdout, stderr] = await fifos.take(2).catch((error: unknown) => {
      if (stdin !== undefined) closeFifo(stdin);
      throw error;
    });
    if (stdout === undefined || stderr === undefined) throw new Error("the pool gave too few");
    return { stdout, stderr, stdin };
  } catch (cause) {
    throw new ExecError("spawn_failed", `cannot make the command's pipes: ${messageOf(cause)}`, { cause });
  }
}

function exitOf(child: ChildProcess): Promise<ShellExit> {
  return new Promise((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function spawnError(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once("error", resolve);
  });
}

/** What Linux takes as one argument of a program, its final NUL included. */
const MAX_ARGUMENT_BYTES = 131_072;

function describeSpawnFailure(cause: unknown, { shellPath, command, cwd }: LaunchInput): ExecError {
  if (cause instanceof ExecError) return cause;
  const folderFault = findFolderFault(cwd);
  if (folderFault !== undefined) return new ExecError("spawn_failed", folderFault, { cause });
  if (codeOf(cause) === "E2BIG") {
    const bytes = Buffer.byteLength(command);
    const what =
      bytes >= MAX_ARGUMENT_BYTES
        ? `the command has ${bytes} bytes and the system takes at most ${MAX_ARGUMENT_BYTES - 1}; write it to a file and run that`
        : "the command and its environment are larger than the system takes; set fewer or shorter variables";
    return new ExecError("spawn_failed", `cannot start: ${what}`, { cause });
  }
  return new ExecError("spawn_failed", `cannot start the shell ${shellPath} in ${cwd}: ${messageOf(cause)}`, { cause });
}

/** Says what is wrong with a working folder; undefined when it can be entered. */
export function findFolderFault(cwd: string): string | undefined {
  try {
    if (!statSync(cwd).isDirectory()) return `the working folder ${cwd} is not a folder`;
    return undefined;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return `the working folder ${cwd} does not exist`;
    return `the working folder ${cwd} cannot be used: ${messageOf(error)}`;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
