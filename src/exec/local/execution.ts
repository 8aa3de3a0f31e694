import { join } from "node:path";
import type { ExecResult, ExecutionInfo, ExecutionPlan, ProcessInfo } from "../contract.js";
import { ExecError } from "../errors.js";
import { createOutputCapture } from "../output/output-capture.js";
import type { CaptureResult, OutputCapture } from "../output/capture.js";
import { failed, ok } from "../result.js";
import type { Result } from "../result.js";
import { startRun } from "./command-run.js";
import type { CommandRun, RunEnd } from "./command-run.js";
import { createFollowers } from "./followers.js";
import type { Followers, UpdateListener } from "./followers.js";
import { followLeftBehind } from "./left-behind.js";
import type { LeftBehind } from "./left-behind.js";
import type { LocalParts } from "./parts.js";
import type { CommandInput } from "./pipes/command-input.js";
import type { TableProcess } from "./processes/process-table.js";
import { commandsAmong } from "./processes/members.js";
import { findMembers } from "./processes/stop-tree.js";
import type { TreeMark, TreeRegistry } from "./processes/tree.js";
import { openInSpillFolder } from "./spills/spill-folder.js";
import type { StartRequest } from "./start-request.js";
import { stopError } from "./stop-reason.js";
import type { StopReason } from "./stop-reason.js";

export type Outcome = Result<ExecResult, ExecError>;

/** One command from its start until nothing of it is left. */
export class Execution {
  readonly plan: ExecutionPlan;
  readonly #request: StartRequest;
  readonly #parts: LocalParts;
  readonly #capture: OutputCapture;
  readonly #followers: Followers = createFollowers();
  #launched: Promise<void> | undefined;
  #run: CommandRun | undefined;
  #outcome: Promise<Outcome> | undefined;
  #settled: Outcome | undefined;
  #left: LeftBehind | undefined;
  #leftOutputPath: string | undefined;

  /** @throws {ExecError} `invalid_argument` where the limits cannot be. */
  constructor(request: StartRequest, plan: ExecutionPlan, parts: LocalParts) {
    this.plan = plan;
    this.#request = request;
    this.#parts = parts;
    this.#capture = createOutputCapture({
      limits: request.limits,
      encoding: request.encoding,
      spillPath: plan.spillPath,
      maxSpillBytes: parts.maxSpillBytes,
      spillBudget: parts.spillBudget,
      openSpill: openInSpillFolder,
      secrets: parts.environment.secrets,
      clock: parts.clock,
      onUpdate: (update) => this.#followers.publish(update),
      onDrain: () => this.#run?.pump.drained(),
      onSpillFull: () => parts.onSpillFull(plan.executionId),
    });
  }

  /** Called once. @throws {ExecError} `spawn_failed`; nothing runs then. */
  launch(): Promise<void> {
    this.#launched = this.#launch();
    return this.#launched;
  }

  async #launch(): Promise<void> {
    const { registry } = this.#parts;
    const tree = { executionId: this.plan.executionId, marker: this.plan.marker };
    await register(tree, registry);
    try {
      this.#run = await startRun(tree, this.#request, this.#capture, this.#parts);
    } catch (error) {
      registry.release(tree);
      throw error;
    }
    registry.update(this.#run.tree);
    this.#outcome = this.#conclude(this.#run);
  }

  /** How the shell's run ended. Never rejects. */
  get outcome(): Promise<Outcome> {
    if (this.#outcome === undefined) throw new Error("an execution has an outcome once it was launched");
    return this.#outcome;
  }

  /** Whether the shell's run has its result. */
  get settled(): boolean {
    return this.#settled !== undefined;
  }

  /** Whether nothing goes on and nothing more will be told. */
  get over(): boolean {
    return this.#settled !== undefined && (this.#left?.over ?? true);
  }

  /** When {@link over} becomes true. */
  get whenOver(): Promise<void> {
    return this.outcome.then(() => this.#left?.ended).then(() => undefined);
  }

  /** From the first update on, so to be called before the launch. */
  follow(listener: UpdateListener, failed: (cause: unknown) => void): void {
    this.#followers.add(listener, failed);
  }

  /** What the command is given to read; undefined where it is not given any. */
  get input(): CommandInput | undefined {
    return this.#run?.input;
  }

  /** The run of the shell, which has a result of its own. */
  get runStream(): OutputStream {
    return { capture: this.#capture, followers: this.#followers, end: this.outcome };
  }

  /** What somebody who comes later follows: the run, or what was left behind by it. */
  get stream(): OutputStream {
    const { outcome } = this;
    if (this.#left === undefined) return this.runStream;
    const { capture, followers, ended } = this.#left;
    return { capture, followers, end: Promise.all([outcome, ended]).then(([first, rest]) => withCapture(first, rest)) };
  }

  /** Stops the tree, unless its shell has exited by itself already. */
  interrupt(reason: StopReason): void {
    if (this.#run?.exited === false) this.#stop(this.#run, reason);
  }

  /** The caller could not take an update: whatever the command does, its call fails and nothing of it goes on. */
  fail(cause: unknown): void {
    if (this.#run !== undefined) this.#stop(this.#run, { kind: "internal", cause });
  }

  /** Stops what runs or was left behind, and tells who survived. */
  async end(reason: StopReason): Promise<readonly ProcessInfo[]> {
    try {
      await this.#launched;
    } catch {
      return [];
    }
    this.interrupt(reason);
    await this.outcome;
    return (await this.#left?.stop()) ?? [];
  }

  /** Notices soon when the last process that was left behind ends; the function it gives stops that. */
  watchLeft(): () => void {
    return this.#left?.watch() ?? (() => undefined);
  }

  async describe(): Promise<ExecutionInfo> {
    const members = await this.#members();
    const left = this.#left?.over === false;
    return {
      executionId: this.plan.executionId,
      command: this.#request.command,
      cwd: this.#request.cwd,
      state: left ? "left" : this.#settled === undefined ? "running" : "ended",
      startedAt: this.#run?.startedAt ?? this.#parts.clock.now(),
      pids: members.map((process) => process.pid),
      ...(left && this.#leftOutputPath !== undefined ? { leftOutputPath: this.#leftOutputPath } : {}),
    };
  }

  async #members(): Promise<readonly TableProcess[]> {
    if (this.#left !== undefined) return this.#left.refresh();
    if (this.#run === undefined || this.#settled !== undefined) return [];
    const { tree } = this.#run;
    return commandsAmong(await findMembers(tree, this.#parts.control.table), tree);
  }

  #stop(run: CommandRun, reason: StopReason): void {
    // A stop that fails is a fault of the run, which its outcome tells.
    run.stop(reason).catch(() => undefined);
  }

  async #conclude(run: CommandRun): Promise<Outcome> {
    const release = this.#parts.holdProcess();
    try {
      const end = await run.ended;
      this.#keepLeft(run, end);
      this.#settled = this.#outcomeOf(end);
    } catch (cause) {
      run.pump.close();
      this.#parts.registry.release(run.tree);
      const message = `the env failed while it ran the command: ${cause instanceof Error ? cause.message : String(cause)}`;
      this.#settled = failed(new ExecError("internal", message, { cause }));
    } finally {
      release();
    }
    return this.#settled;
  }

  /** A command that was stopped leaves nobody whose output anybody waits for, except those that it could not end. */
  #keepLeft(run: CommandRun, end: RunEnd): void {
    if (end.processes.length === 0 && (end.reason !== undefined || !run.pump.open)) {
      run.pump.close();
      this.#parts.registry.release(run.tree);
      return;
    }
    const { spillFolder, maxSpillBytes } = this.#parts;
    // Who holds no pipe prints elsewhere, or nothing.
    if (spillFolder !== undefined && run.pump.open) {
      this.#leftOutputPath = join(spillFolder, `${this.plan.executionId}.after.log`);
    }
    const maxBytes = maxSpillBytes - (end.captured.spill?.bytes ?? 0);
    const { encoding } = this.#request;
    const input = { tree: run.tree, pump: run.pump, path: this.#leftOutputPath, maxBytes, encoding };
    this.#left = followLeftBehind(input, this.#parts);
  }

  #outcomeOf(end: RunEnd): Outcome {
    const result = this.#resultOf(end);
    if (end.reason !== undefined) return failed(stopError(end.reason, result));
    if (result.signal === null) return ok(result);
    return failed(
      new ExecError("signal", `the command was ended by ${result.signal}, which nobody here sent`, { result }),
    );
  }

  #resultOf({ exit, reason, captured, durationMs, processes }: RunEnd): ExecResult {
    const { truncation, spill, decoding } = captured;
    return {
      executionId: this.plan.executionId,
      exitCode: exit.exitCode,
      signal: exit.signal,
      durationMs,
      truncation,
      ...(spill === undefined ? {} : { spill, spillPath: spill.path }),
      ...(decoding === undefined ? {} : { decoding }),
      containment: this.#parts.sandbox === undefined ? "group+marker" : "bwrap",
      left: reason === undefined ? processes : [],
      survivors: reason === undefined ? [] : processes,
      ...(this.#leftOutputPath === undefined ? {} : { leftOutputPath: this.#leftOutputPath }),
    };
  }
}

/** @throws {ExecError} `spawn_failed`: nothing runs that would outlive this process. */
async function register(tree: TreeMark, registry: TreeRegistry): Promise<void> {
  try {
    await registry.register(tree);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ExecError("spawn_failed", `not started, because it could not be registered: ${why}`, { cause });
  }
}

/** What an attached caller follows. */
export interface OutputStream {
  readonly capture: OutputCapture;
  readonly followers: Followers;
  readonly end: Promise<Outcome>;
}

/** The outcome of a run, told with the output of what was left behind by it. */
function withCapture(outcome: Outcome, { truncation, spill }: CaptureResult): Outcome {
  const amend = (result: ExecResult): ExecResult => {
    const { spill: _spill, spillPath: _spillPath, ...rest } = result;
    return { ...rest, truncation, ...(spill === undefined ? {} : { spill, spillPath: spill.path }) };
  };
  if (outcome.ok) return ok(amend(outcome.value));
  const { code, message, result, cause } = outcome.error;
  if (result === undefined) return outcome;
  return failed(new ExecError(code, message, { result: amend(result), cause }));
}
