import { applyShellOutputUpdate } from "../../exec/index.js";
import type { ExecResult, Retain, ShellOutputMetadata, ShellOutputUpdate, ShellOutputView } from "../../exec/index.js";
import type { CapturedUpdate, ToolOutputSink } from "../contract.js";
import { describeDecoding, describeProcesses } from "./remarks.js";

export interface FollowedCaptureOptions {
  readonly sink: ToolOutputSink;
  /** The tool's own. */
  readonly onUpdate: (update: ShellOutputUpdate) => void;
  /** Tells the captures of a call apart. */
  readonly capture: number;
  readonly retain: Retain | undefined;
}

/** One execution's output on its way to a tool: the sink learns of each update first and flushes it right after. */
export class FollowedCapture {
  readonly #options: FollowedCaptureOptions;
  readonly #stop = new AbortController();
  #view: ShellOutputView | undefined;
  #isOpen = true;
  /** What the tool threw while it was told of an update. */
  #thrown: { readonly error: unknown } | undefined;

  constructor(options: FollowedCaptureOptions) {
    this.#options = options;
  }

  /** Aborts when the tool cannot take what it is told. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  update(update: ShellOutputUpdate): void {
    const { sink } = this.#options;
    this.#view = applyShellOutputUpdate(this.#view, update);
    sink.captured(this.#describe(update, this.#view));
    if (this.#thrown === undefined) this.#tell(update);
    sink.flush();
  }

  /** States how the execution ended; `result` is absent where nothing ran. */
  end(result: ExecResult | undefined): void {
    if (result === undefined) return;
    this.#isOpen = false;
    const { sink, capture } = this.#options;
    const spillPath = result.spillPath ?? result.spill?.path;
    sink.captureSettled({
      metadata: { truncation: result.truncation, ...(spillPath === undefined ? {} : { spillPath }) },
      ...(result.spill === undefined ? {} : { spill: result.spill }),
      remarks: [...describeDecoding(result), ...describeProcesses(result)],
      capture,
    });
    sink.flush();
  }

  /** Ends a capture whose execution gave no result, as far as it got; then throws what the tool threw. */
  close(): void {
    const { sink, capture } = this.#options;
    if (this.#isOpen && this.#view !== undefined) {
      sink.captureSettled({ metadata: metadataOf(this.#view), remarks: [], capture });
      sink.flush();
    }
    this.#isOpen = false;
    if (this.#thrown !== undefined) throw this.#thrown.error;
  }

  #tell(update: ShellOutputUpdate): void {
    try {
      const told: unknown = this.#options.onUpdate(update);
      // An async function fits the type too; what it rejects with would otherwise end the process.
      if (told instanceof Promise) told.catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#thrown ??= { error };
    this.#stop.abort(error);
  }

  #describe(update: ShellOutputUpdate, view: ShellOutputView): CapturedUpdate {
    const { capture, retain } = this.#options;
    return {
      metadata: metadataOf(view),
      capture,
      ...(retain === undefined ? {} : { retain }),
      ...(view.tail === undefined ? {} : { tail: view.tail }),
      ...describeSlide(update),
    };
  }
}

function describeSlide(update: ShellOutputUpdate): Pick<CapturedUpdate, "slide"> {
  if (update.kind === "append") return { slide: { drop: 0, text: update.text, block: update.block } };
  if (update.kind === "slide") return { slide: { drop: update.drop, text: update.text, block: update.block } };
  return {};
}

function metadataOf({ truncation, progress, spillPath }: ShellOutputView): ShellOutputMetadata {
  return {
    truncation,
    ...(progress === undefined ? {} : { progress }),
    ...(spillPath === undefined ? {} : { spillPath }),
  };
}
