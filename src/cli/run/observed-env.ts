import type {
  AttachOptions,
  ExecContext,
  ExecError,
  ExecOptions,
  ExecResult,
  ExecutionEnv,
  ExecutionInfo,
  KillReport,
  Result,
  ShellOutputUpdate,
  StartOptions,
} from "../../exec/index.js";
import { jsonTextBytes } from "./json-bytes.js";

/** What is known of the executions that went through an env: how the last one ended, and how much text they gave. */
export interface ExecutionRecord {
  readonly ending: Result<ExecResult, ExecError> | undefined;
  /** UTF-8 bytes, as JSON, of all text that was new to a window. */
  readonly newTextBytes: number;
}

/** An env that does what another one does, and notes how it went. */
export class ObservedEnv implements ExecutionEnv {
  readonly #inner: ExecutionEnv;
  #ending: Result<ExecResult, ExecError> | undefined;
  #newTextBytes = 0;

  constructor(inner: ExecutionEnv) {
    this.#inner = inner;
  }

  get cwd(): string {
    return this.#inner.cwd;
  }

  get record(): ExecutionRecord {
    return { ending: this.#ending, newTextBytes: this.#newTextBytes };
  }

  async exec(command: string, options: ExecOptions, context?: ExecContext): Promise<Result<ExecResult, ExecError>> {
    return this.#note(await this.#inner.exec(command, this.#listen(options), context));
  }

  async attach(id: string, options: AttachOptions, context?: ExecContext): Promise<Result<ExecResult, ExecError>> {
    return this.#note(await this.#inner.attach(id, this.#listen(options), context));
  }

  start(command: string, options: StartOptions, context?: ExecContext): Promise<Result<ExecutionInfo, ExecError>> {
    return this.#inner.start(command, options, context);
  }

  list(): Promise<readonly ExecutionInfo[]> {
    return this.#inner.list();
  }

  kill(executionId: string): Promise<Result<KillReport, ExecError>> {
    return this.#inner.kill(executionId);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #listen<T extends AttachOptions>(options: T): T {
    const { onUpdate } = options;
    return {
      ...options,
      onUpdate: (update: ShellOutputUpdate) => {
        this.#newTextBytes += jsonTextBytes(newText(update));
        onUpdate?.(update);
      },
    };
  }

  #note(ending: Result<ExecResult, ExecError>): Result<ExecResult, ExecError> {
    this.#ending = ending;
    return ending;
  }
}

function newText(update: ShellOutputUpdate): string {
  if (update.kind === "metadata") return "";
  return update.kind === "replace" ? update.output.text + (update.output.tail ?? "") : update.text;
}
