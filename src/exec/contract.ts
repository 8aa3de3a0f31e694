import type { ExecError } from "./errors.js";
import type { EnvFiles } from "./files.js";
import type { DecodingReport } from "./output/encoding.js";
import type { Result } from "./result.js";
import type { ShellOutputLimits, ShellOutputTruncation, ShellOutputUpdate, SpillReport } from "./output/view.js";

/**
 * Where commands run: this machine, a container, a remote host. Output is bounded here, before it crosses anything.
 *
 * Nothing rejects for a command's sake: what goes wrong with it is a failed {@link Result} with a coded error.
 */
export interface ExecutionEnv {
  /** The absolute working folder of commands that name none. */
  readonly cwd: string;

  /** The files that its commands see. */
  readonly files: EnvFiles;

  /**
   * Runs shell text until its shell has exited and its pipes were drained, and gives the totals. Text travels through
   * `onUpdate` only; the last update was delivered before the promise settles, and none follows.
   *
   * Standard output and standard error each keep their order. Between the two the order is that in which they are read,
   * so approximate; a command that sends both to one (`2>&1`) keeps it exactly.
   */
  exec(command: string, options: ExecOptions, context?: ExecContext): Promise<Result<ExecResult, ExecError>>;

  /** Starts a command that goes on without a caller; `attach` follows it. */
  start(command: string, options: StartOptions, context?: ExecContext): Promise<Result<ExecutionInfo, ExecError>>;

  /** Follows an execution: opens with a bounded `replace`, ends as `exec` does. Aborting the context only detaches. */
  attach(executionId: string, options: AttachOptions, context?: ExecContext): Promise<Result<ExecResult, ExecError>>;

  /** Executions that run, were left behind, or have a result that nobody collected. */
  list(): Promise<readonly ExecutionInfo[]>;

  /**
   * Lets go of a result that was asked to be kept. What is not known any more was collected already; never fails for that.
   */
  collect(executionId: string): Promise<void>;

  /**
   * Hands bytes to the standard input of an execution that was started with `input: "open"`, and resolves once the command's
   * side has them. Writes keep the order of their calls. Fails with `input_full` while 1 MiB waits, and with `input_closed`
   * where nothing can come to be read any more.
   */
  writeInput(executionId: string, bytes: Uint8Array, options?: InputOptions): Promise<Result<InputState, ExecError>>;

  /** The command finds the end of its input behind what was written. Again is nothing. */
  endInput(executionId: string): Promise<Result<InputState, ExecError>>;

  /** Stops the whole tree of an execution and says who survived. */
  kill(executionId: string): Promise<Result<KillReport, ExecError>>;

  /** Stops every execution and gives back all that the env holds. Calls that come later fail with `env_closed`. */
  close(): Promise<void>;
}

/** Every option accepts `undefined`, which means its default. */
export interface StartOptions {
  readonly cwd?: string | undefined;
  /** Whether the command inherits the environment less what the harness itself holds. Default true. */
  readonly inheritEnv?: boolean | undefined;
  /** Variables set for this command alone. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Seconds, more than 0, fractions allowed; none by default. */
  readonly timeout?: number | undefined;
  readonly capture?: CaptureOptions | undefined;
  /** What the command reads: nothing, or what `writeInput` gives it until `endInput`. Default `none`. */
  readonly input?: "none" | "open" | undefined;
}

export interface InputOptions {
  /**
   * Where in the whole input these bytes begin. What of them was accepted before is left out, so that a write whose answer
   * was lost can be made again. Default: behind everything that was accepted.
   */
  readonly at?: number | undefined;
}

export interface InputState {
  /** Bytes of the whole input, read or not. */
  readonly acceptedBytes: number;
}

export interface CaptureOptions {
  readonly limits?: ShellOutputLimits | undefined;
  /** Whether output beyond the caps is saved whole to a file of the env. Default false. */
  readonly spill?: boolean | undefined;
  /**
   * The encoding in which the command prints, by a label of the Encoding Standard such as `gbk`. Default UTF-8, which is also
   * taken where there is no such encoding, or where it cannot be read line by line; the result says so.
   */
  readonly encoding?: string | undefined;
}

export interface FollowOptions {
  readonly onUpdate?: ((update: ShellOutputUpdate) => void) | undefined;
  /** Whether the result stays until `collect` says that it is safe elsewhere. Default false: it is the caller's alone. */
  readonly keep?: boolean | undefined;
}

export interface AttachOptions extends FollowOptions {
  /**
   * Whether only the shell's own run is followed, to the result that `exec` would give, also where processes were left
   * behind. Default false: while some go on, their output is followed, and the result comes when the last has ended.
   */
  readonly runOnly?: boolean | undefined;
}

export interface ExecOptions extends StartOptions, FollowOptions {}

/** What the caller of an execution brings along. */
export interface ExecContext {
  /** Stops the tree when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Awaited before anything is spawned, so that a durable note of what is about to run can be made. A rejection stops it. */
  readonly prepared?: ((plan: ExecutionPlan) => Promise<void> | void) | undefined;
}

/** What is fixed before an execution starts. */
export interface ExecutionPlan {
  readonly executionId: string;
  /** The mark in the environment by which every process of the execution is found. */
  readonly marker: string;
  /** Where a spill would lie; absent when none was asked for. */
  readonly spillPath?: string;
}

/** How processes are held: only `bwrap` promises that nothing escapes. */
export type Containment = "bwrap" | "cgroup" | "group+marker";

/** How an execution ended. Its text is not here: it went through the updates. */
export interface ExecResult {
  readonly executionId: string;
  /** `null` when a signal ended the shell, or when nothing ran. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly truncation: ShellOutputTruncation;
  /** Set once the file is finished. */
  readonly spillPath?: string;
  readonly spill?: SpillReport;
  /** Where bytes were no text of the encoding, or there is no such encoding. */
  readonly decoding?: DecodingReport;
  readonly containment: Containment;
  /** Processes of a command that ended by itself and left them running; they are listed executions from now on. */
  readonly left: readonly ProcessInfo[];
  /** The file of the env in which their output will be, once there is any; absent where they hold no pipe, or none is kept. */
  readonly leftOutputPath?: string;
  /** Processes that a stop could not end. */
  readonly survivors: readonly ProcessInfo[];
}

export interface ProcessInfo {
  readonly pid: number;
  /** The command line, at most 200 characters. */
  readonly command: string;
}

export interface KillReport {
  readonly executionId: string;
  readonly survivors: readonly ProcessInfo[];
}

export interface ExecutionInfo {
  readonly executionId: string;
  readonly command: string;
  readonly cwd: string;
  /** `left`: its shell has exited, processes of it go on. `ended`: its result waits to be collected. */
  readonly state: "running" | "left" | "ended";
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly pids: readonly number[];
  /** With `left`: where their output goes. */
  readonly leftOutputPath?: string;
}

/** An execution of an exec host, which runs them for several. */
export interface OwnedExecution extends ExecutionInfo {
  /** The name that its client gave, such as a session's id. */
  readonly owner: string;
}
