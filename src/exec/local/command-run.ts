import type { ProcessInfo } from "../contract.js";
import type { CaptureResult, OutputCapture } from "../output/capture.js";
import { commandEnvironment } from "./environment/command-environment.js";
import { launchShell } from "./launch-shell.js";
import type { LaunchedShell, ShellExit } from "./launch-shell.js";
import type { LocalParts } from "./parts.js";
import type { CommandInput } from "./pipes/command-input.js";
import { OutputPump } from "./pipes/output-pump.js";
import { commandsAmong } from "./processes/members.js";
import { findMembers, sendSignal, stopTree, waitUntilGone } from "./processes/stop-tree.js";
import type { ProcessControl } from "./processes/stop-tree.js";
import type { StartedTree, TreeMark } from "./processes/tree.js";
import type { StartRequest } from "./start-request.js";
import type { StopReason } from "./stop-reason.js";

/** The shell of an execution and all that it started, until its output was captured. */
export interface CommandRun {
  readonly tree: StartedTree;
  /** Still open at the end where processes that were left behind hold a pipe; the caller's to close then. */
  readonly pump: OutputPump;
  readonly startedAt: number;
  /** What the command can be given to read; closed when its shell has exited. */
  readonly input: CommandInput | undefined;
  /** Rejects only for a fault of the env itself. */
  readonly ended: Promise<RunEnd>;
  /** Whether the shell has exited. */
  readonly exited: boolean;
  /** Stops the tree and tells who survived. The first reason counts. */
  stop(reason: StopReason): Promise<readonly ProcessInfo[]>;
}

export interface RunEnd {
  readonly exit: ShellExit;
  /** Why it was stopped, if it was. */
  readonly reason: StopReason | undefined;
  readonly captured: CaptureResult;
  readonly durationMs: number;
  /** Who goes on: left behind by a command that ended, or not to be ended by a stop. */
  readonly processes: readonly ProcessInfo[];
}

/** @throws {ExecError} `spawn_failed`; nothing runs then. */
export async function startRun(
  mark: TreeMark,
  request: StartRequest,
  capture: OutputCapture,
  parts: LocalParts,
): Promise<CommandRun> {
  const environment = commandEnvironment({
    inherited: parts.environment,
    inheritEnv: request.inheritEnv,
    own: request.env,
    marker: mark.marker,
  });
  const { command, cwd } = request;
  const launched = await launchShell(
    {
      shellPath: parts.shellPath(),
      command,
      cwd,
      environment,
      hasInput: request.input === "open",
      sandbox: parts.sandbox,
    },
    { fifos: parts.fifos, spawn: parts.spawn, table: parts.control.table },
  );
  const pump = new OutputPump([launched.stdout, launched.stderr], capture, parts.clock);
  const tree = { ...mark, shell: launched.shell, openPipes: () => pump.identities };
  return followRun({ tree, pump, launched }, request, parts, capture);
}

interface Launched {
  readonly tree: StartedTree;
  readonly pump: OutputPump;
  readonly launched: LaunchedShell;
}

function followRun(
  { tree, pump, launched }: Launched,
  request: StartRequest,
  parts: LocalParts,
  capture: OutputCapture,
): CommandRun {
  const { clock, control } = parts;
  const begun = clock.monotonic();
  let exited = false;
  let reason: StopReason | undefined;
  let stopping: Promise<readonly ProcessInfo[]> | undefined;
  let giveUp: (exit: ShellExit) => void;
  const givenUp = new Promise<ShellExit>((resolve) => {
    giveUp = resolve;
  });

  function stop(why: StopReason): Promise<readonly ProcessInfo[]> {
    reason ??= why;
    stopping ??= stopRun(tree, control).then((survivors) => {
      // Nothing ends a process that waits in the kernel for a device; the call does not wait with it.
      if (survivors.some((process) => process.pid === tree.shell.pid)) giveUp({ exitCode: null, signal: null });
      return survivors;
    });
    return stopping;
  }

  async function run(): Promise<RunEnd> {
    const exit = await Promise.race([launched.exited, givenUp]);
    exited = true;
    launched.input?.close();
    timer?.cancel();
    parts.registry.update(tree);
    const durationMs = clock.monotonic() - begun;
    await stopping;
    await pump.finish();
    const left = stopping === undefined ? findLeft(tree, clock.monotonic() - begun, parts) : [];
    const [captured, leftProcesses] = await Promise.all([capture.settle(), left]);
    // The receiver of the last update may have failed just now.
    const processes = (await stopping) ?? leftProcesses;
    return { exit, reason, captured, durationMs, processes };
  }

  const { timeout } = request;
  const timer =
    timeout === undefined
      ? undefined
      : clock.after(timeout * 1_000, () => {
          // A fault of the stop is the run's own; `ended` tells it.
          stop({ kind: "timeout", seconds: timeout }).catch(() => undefined);
        });
  return {
    tree,
    pump,
    startedAt: clock.now(),
    input: launched.input,
    ended: run(),
    stop,
    get exited() {
      return exited;
    },
  };
}

async function stopRun(tree: StartedTree, control: ProcessControl): Promise<readonly ProcessInfo[]> {
  try {
    return await stopTree(tree, control);
  } catch (cause) {
    // Without a table of processes the group is all that is known.
    sendSignal(control.kill, -tree.shell.pid, "SIGKILL");
    throw cause;
  }
}

/** Ids are given in turn, so that one of the moment before is not given again within this time. */
const SHORT_RUN_MS = 200;
/** How long a process that has closed its pipes may take to be gone before it counts as left behind. */
const ENDING_MS = 50;

async function findLeft(tree: StartedTree, sinceStartMs: number, parts: LocalParts): Promise<readonly ProcessInfo[]> {
  const { control } = parts;
  const newerThan = sinceStartMs < SHORT_RUN_MS ? tree.shell.pid : undefined;
  const members = await findMembers(tree, control.table, newerThan);
  if (commandsAmong(members, tree).length === 0) return [];
  const left = await waitUntilGone(tree, control, ENDING_MS);
  return commandsAmong(left, tree).map((process) => process.describe());
}
