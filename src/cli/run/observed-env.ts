import type {
  AttachOptions,
  EnvFiles,
  ExecContext,
  ExecError,
  ExecOptions,
  ExecResult,
  ExecutionEnv,
  ExecutionInfo,
  InputOptions,
  InputState,
  KillReport,
  Result,
  StartOptions,
} from "../../exec/index.js";

/** An env that does what another one does, and notes how the last execution ended. */
export class ObservedEnv implements ExecutionEnv {
  readonly #inner: ExecutionEnv;
  #ending: Result<ExecResult, ExecError> | undefined;

  constructor(inner: ExecutionEnv) {
    this.#inner = inner;
  }

  get cwd(): string {
    return this.#inner.cwd;
  }

  get ending(): Result<ExecResult, ExecError> | undefined {
    return this.#ending;
  }

  async exec(command: string, options: ExecOptions, context?: ExecContext): Promise<Result<ExecResult, ExecError>> {
    return this.#note(await this.#inner.exec(command, options, context));
  }

  async attach(id: string, options: AttachOptions, context?: ExecContext): Promise<Result<ExecResult, ExecError>> {
    return this.#note(await this.#inner.attach(id, options, context));
  }

  get files(): EnvFiles {
    return this.#inner.files;
  }

  collect(executionId: string): Promise<void> {
    return this.#inner.collect(executionId);
  }

  writeInput(id: string, bytes: Uint8Array, options?: InputOptions): Promise<Result<InputState, ExecError>> {
    return this.#inner.writeInput(id, bytes, options);
  }

  endInput(id: string): Promise<Result<InputState, ExecError>> {
    return this.#inner.endInput(id);
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

  #note(ending: Result<ExecResult, ExecError>): Result<ExecResult, ExecError> {
    this.#ending = ending;
    return ending;
  }
}
