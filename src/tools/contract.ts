import type {
  ExecContext,
  ExecutionEnv,
  Retain,
  ShellOutputBlock,
  ShellOutputLimits,
  ShellOutputMetadata,
  SpillReport,
} from "../exec/index.js";
import type { ImageBlock, Json, OperationId, ToolCallId, ToolOutputState, Usage } from "../protocol/index.js";
import type { ToolParameters, ToolSchema } from "./schema.js";

/**
 * A tool of an agent. `execute` is called as a method and returns nothing: all that the tool gives flows through the
 * sink, and failing is throwing.
 */
export interface AgentHarnessTool<
  Context = ExecutionToolContext,
  Schema extends ToolSchema = ToolSchema,
  Details = unknown,
> {
  /** 1 to 64 characters of `[a-zA-Z0-9_-]`. */
  readonly name: string;
  /** What the model is told. */
  readonly description: string;
  readonly parameters: Schema;
  /** What bounds the text of a call; the defaults where unset. */
  readonly output?: ShellOutputLimits;
  /**
   * What becomes of a call whose process ended before it did. Default `never`.
   *
   * - `safe`: it runs again, on the output that it had.
   * - `attach`: the same where its env still has every execution that the call had begun. Then `exec` and `start` of the new run
   *   give those in place of new ones, in the same order, so nothing is run twice. Where one is gone, it is as with `never`.
   * - `never`: it settles as interrupted, with the output that it had.
   */
  readonly replay?: "safe" | "attach" | "never";

  execute(
    id: ToolCallId,
    params: ToolParameters<Schema>,
    signal: AbortSignal,
    out: ToolOutput<Details>,
    context: Context,
  ): Promise<void>;
}

/** What a tool gets of the world. It is an {@link ExecContext} too, so it is handed on to `env.exec` as it is. */
export interface ExecutionToolContext extends ExecContext {
  /** Bound to this call: its aborts, totals, caps and spill reach the sink before the tool's `onUpdate`. */
  readonly env: ExecutionEnv;
  readonly signal: AbortSignal;
  readonly operationId: OperationId;
  readonly toolCallId: ToolCallId;
  /**
   * The tool's durable note to its own replay: the stored value of this name, or what `compute` gives, stored together
   * with the output up to now before the promise resolves. JSON of at most 65,536 bytes; not while the same one is being made.
   */
  memo<T extends Json>(name: string, compute: () => T | Promise<T>): Promise<T>;
}

/**
 * Where a tool's output goes. Bounded by the tool's limits, whatever the tool does. Once `execute` has settled, every
 * method does nothing, so that a callback that comes late harms nobody. What a method cannot take, it refuses with a
 * {@link ToolError}.
 */
export interface ToolOutput<Details = Json> {
  /** Appends text; after the call's capture settled, to the notice instead. */
  write(text: string): void;
  /** States the whole text anew. */
  replace(text: string): void;
  /** Drops UTF-16 code units from the front of the text and appends. */
  slide(drop: number, text: string): void;
  /** Says what an env knows about the text: totals, progress, spill. A bound env says it by itself. */
  capture(metadata: ShellOutputMetadata): void;
  /** At most 16 per call, 8 MiB of image each. */
  image(image: ImageBlock): void;
  /** Appends to what is said about the output at its end, at most 4,096 bytes in all; what is beyond them is cut. */
  notice(text: string): void;
  /**
   * The tool's own structured result, at most 256 KiB as JSON. Mutate it or assign it. Where a change exceeds the limit
   * it is undone, and the next call of the sink or of `env.exec` throws `details_too_large`.
   */
  details: Details;
  /** Adds to what the call consumed. */
  usage(usage: Usage): void;
  /** Makes tools available from the next turn on; at most 128 names per call. */
  addTools(names: readonly string[]): void;
  /** Ends the operation after this call, whether the call fails or not. */
  terminate(): void;
}

/** What bounds the text of a call, every default filled in. */
export interface OutputLimits {
  readonly retain: Retain;
  /** UTF-8 bytes. */
  readonly maxBytes: number;
  readonly maxLines: number;
}

/** The harness's side of a sink. */
export interface ToolOutputSink {
  readonly out: ToolOutput;
  readonly limits: OutputLimits;
  /** The state as it is now; a copy. */
  snapshot(): ToolOutputState;
  /** Hands out what is pending, at once. Gives nothing when nothing is. */
  flush(): void;
  /** States what an env's update was, before the tool sees it. The next flush ends the update. */
  captured(update: CapturedUpdate): void;
  /** States that the env's execution ended; the tool's text goes to the notice from here on. */
  captureSettled(end: CaptureEnd): void;
  /** Throws what the tool did wrong and has not been told yet: details that grew beyond their limit. */
  check(): void;
  /**
   * Composes the notice, drops progress, flushes and closes. `error` is what the tool threw. Gives the error that the call
   * ends with: the same, or what {@link check} would have thrown.
   */
  settle(error?: unknown): unknown;
}

/** What the env changed, so that a tool that only replaces its text still gives the smallest ops. */
export interface CapturedUpdate {
  readonly metadata: ShellOutputMetadata;
  /** Absent where the env states the whole text anew, or no text at all. An append is a slide that drops nothing. */
  readonly slide?: { readonly drop: number; readonly text: string; readonly block?: ShellOutputBlock };
  /** With `both`: the end of the output, where the env states the whole text anew. */
  readonly tail?: string;
  /** Which end of the output the env keeps, where that differs from the sink's own limits. */
  readonly retain?: Retain;
  /** Tells the captures of one call apart, where there are several: 0, 1, … Default 0. */
  readonly capture?: number;
}

export interface CaptureEnd {
  readonly metadata: ShellOutputMetadata;
  readonly spill?: SpillReport;
  /** Sentences about processes that were left running or survived a stop. */
  readonly remarks: readonly string[];
  /** As in {@link CapturedUpdate}. */
  readonly capture?: number;
}
