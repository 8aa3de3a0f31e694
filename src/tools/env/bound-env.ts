import type {
  AttachOptions,
  EnvFiles,
  ExecContext,
  ExecError,
  ExecOptions,
  ExecResult,
  ExecutionEnv,
  ExecutionInfo,
  ExecutionPlan,
  InputOptions,
  InputState,
  KillReport,
  Result,
  ShellOutputLimits,
  StartOptions,
} from "../../exec/index.js";
import type { ToolOutputSink } from "../contract.js";
import { ToolError } from "../errors.js";
import { findEarlier, followEarlier } from "./earlier-execution.js";
import { FollowedCapture } from "./followed-capture.js";
import { boundLimits } from "./bound-limits.js";
import { describeProcesses } from "./remarks.js";

/** What an env is bound to. */
export interface EnvBinding {
  /** Stops every execution of the call. */
  readonly signal: AbortSignal;
  /** Awaited before each spawn, and before what the tool itself prepares. `place` counts what the call begins, from 0. */
  readonly prepared?: ((plan: ExecutionPlan, place: number) => Promise<void> | void) | undefined;
  /** What an earlier run of the call began, by its place: taken up again in place of being begun. */
  readonly earlier?: readonly ExecutionPlan[] | undefined;
  /** Makes the env keep the result of each `exec` until it is collected; called with its id once there is one. */
  readonly onKept?: ((executionId: string) => void) | undefined;
}

/**
 * The env of one call. What `exec` and `attach` tell the tool's `onUpdate` is first told to the sink: caps, totals,
 * progress, spill; after it the sink flushes. Of an execution without an `onUpdate` nothing is shown, so the sink learns
 * nothing of it but the processes that it left. A tool that throws in its `onUpdate` stops the execution and is thrown
 * the same error by `exec`.
 */
export function bindEnv(env: ExecutionEnv, sink: ToolOutputSink, binding: EnvBinding): ExecutionEnv {
  return new BoundEnv(env, sink, binding);
}

type Ended = Result<ExecResult, ExecError>;

class BoundEnv implements ExecutionEnv {
  readonly cwd: string;
  readonly #env: ExecutionEnv;
  readonly #sink: ToolOutputSink;
  readonly #binding: EnvBinding;
  #captures = 0;
  /** How many executions the call has begun or taken up. */
  #begun = 0;

  constructor(env: ExecutionEnv, sink: ToolOutputSink, binding: EnvBinding) {
    this.cwd = env.cwd;
    this.#env = env;
    this.#sink = sink;
    this.#binding = binding;
  }

  async exec(command: string, options: ExecOptions, context?: ExecContext): Promise<Ended> {
    const limits = boundLimits(this.#sink.limits, options.capture?.limits);
    const capture = { ...options.capture, limits };
    const { onKept } = this.#binding;
    const keep = onKept === undefined ? options.keep : true;
    const place = this.#takePlace();
    const earlier = this.#binding.earlier?.[place];
    const prepared = this.#prepare(context, place);
    const ended = await this.#follow(options.onUpdate, limits, context?.signal, (onUpdate, signal) =>
      earlier === undefined
        ? this.#env.exec(command, { ...options, capture, onUpdate, keep }, { signal, prepared })
        : followEarlier(this.#env, earlier.executionId, { onUpdate, keep }, signal),
    );
    const result = ended.ok ? ended.value : ended.error.result;
    if (result !== undefined) onKept?.(result.executionId);
    return ended;
  }

  /** Goes on after the call, so the call's abort does not stop it; the tool's own context may. */
  start(command: string, options: StartOptions, context?: ExecContext): Promise<Result<ExecutionInfo, ExecError>> {
    const place = this.#takePlace();
    const earlier = this.#binding.earlier?.[place];
    if (earlier !== undefined) return findEarlier(this.#env, earlier.executionId);
    const capture = { ...options.capture, limits: boundLimits(this.#sink.limits, options.capture?.limits) };
    return this.#env.start(
      command,
      { ...options, capture },
      { signal: context?.signal, prepared: this.#prepare(context, place) },
    );
  }

  attach(executionId: string, options: AttachOptions, context?: ExecContext): Promise<Ended> {
    return this.#follow(options.onUpdate, undefined, context?.signal, (onUpdate, signal) =>
      this.#env.attach(executionId, { ...options, onUpdate }, { signal }),
    );
  }

  get files(): EnvFiles {
    return this.#env.files;
  }

  collect(executionId: string): Promise<void> {
    return this.#env.collect(executionId);
  }

  writeInput(id: string, bytes: Uint8Array, options?: InputOptions): Promise<Result<InputState, ExecError>> {
    return this.#env.writeInput(id, bytes, options);
  }

  endInput(id: string): Promise<Result<InputState, ExecError>> {
    return this.#env.endInput(id);
  }

  list(): Promise<readonly ExecutionInfo[]> {
    return this.#env.list();
  }

  kill(executionId: string): Promise<Result<KillReport, ExecError>> {
    return this.#env.kill(executionId);
  }

  close(): Promise<void> {
    return Promise.reject(
      new ToolError(
        "not_allowed",
        "A tool cannot close its env: it belongs to the session. Use kill() to end an execution.",
      ),
    );
  }

  async #follow(
    onUpdate: AttachOptions["onUpdate"],
    limits: ShellOutputLimits | undefined,
    signal: AbortSignal | undefined,
    run: (onUpdate: AttachOptions["onUpdate"], signal: AbortSignal) => Promise<Ended>,
  ): Promise<Ended> {
    this.#sink.check();
    const signals = signal === undefined ? [this.#binding.signal] : [this.#binding.signal, signal];
    if (onUpdate === undefined) return this.#remark(await run(undefined, AbortSignal.any(signals)));
    const capture = new FollowedCapture({
      sink: this.#sink,
      onUpdate,
      capture: this.#captures,
      retain: limits?.retain,
    });
    this.#captures += 1;
    try {
      const ended = await run((update) => capture.update(update), AbortSignal.any([...signals, capture.signal]));
      capture.end(ended.ok ? ended.value : ended.error.result);
      return ended;
    } finally {
      capture.close();
      this.#sink.check();
    }
  }

  #takePlace(): number {
    const place = this.#begun;
    this.#begun += 1;
    return place;
  }

  #prepare(context: ExecContext | undefined, place: number): NonNullable<ExecContext["prepared"]> {
    return async (plan) => {
      await this.#binding.prepared?.(plan, place);
      await context?.prepared?.(plan);
    };
  }

  #remark(ended: Ended): Ended {
    const result = ended.ok ? ended.value : ended.error.result;
    if (result !== undefined) for (const remark of describeProcesses(result)) this.#sink.out.notice(remark);
    return ended;
  }
}
