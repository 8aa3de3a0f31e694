import type { SessionStorage, Storage, StorageErrorCode } from "../../storage/index.js";

/** What the suite runs on: one backend, and how to begin with an empty one. */
export interface StorageSuiteOptions {
  /** Registers one case. The `test` of vitest, of `node:test` and of others fits. */
  readonly test: (title: string, run: () => Promise<void>) => void;
  /** Throws on a difference; `node:assert/strict` fits. */
  readonly assert: SuiteAssert;
  /** Makes an empty storage for one case. */
  readonly open: () => Promise<StorageStage>;
  /** Where random cases begin; a failure names it. Default 1. */
  readonly seed?: number | undefined;
  /** Random cases of each kind. Default 10. */
  readonly rounds?: number | undefined;
}

export interface SuiteAssert {
  equal(actual: unknown, expected: unknown, message?: string): void;
  deepEqual(actual: unknown, expected: unknown, message?: string): void;
}

export interface StorageStage {
  readonly storage: Storage;
  /** The same sessions as the next process finds them. Every session was closed before. */
  restart(): Promise<Storage>;
  dispose(): Promise<void>;
}

/** One case of the suite. Its title begins with the id of the rule that it shows. */
export interface StorageCase {
  readonly title: string;
  readonly run: (context: CaseContext) => Promise<void>;
}

export interface CaseContext {
  readonly storage: Storage;
  /** A new session, `s1`, of that storage. */
  readonly session: SessionStorage;
  readonly assert: SuiteAssert;
  /** Closes the session and opens it as the next process would. */
  readonly reopen: () => Promise<SessionStorage>;
  /** Checks that a call is refused with a code, in words. */
  readonly refuses: (code: StorageErrorCode, call: () => Promise<unknown>) => Promise<void>;
}

export async function runCase(options: StorageSuiteOptions, { run }: StorageCase): Promise<void> {
  const { assert } = options;
  const stage = await options.open();
  const sessions = [await stage.storage.create("s1")];
  try {
    await run({
      storage: stage.storage,
      session: newest(sessions),
      assert,
      async reopen() {
        await newest(sessions).close();
        sessions.push(await (await stage.restart()).open("s1"));
        return newest(sessions);
      },
      refuses: (code, call) => checkRefusal(assert, code, call),
    });
  } finally {
    await newest(sessions).close();
    await stage.dispose();
  }
}

async function checkRefusal(assert: SuiteAssert, code: StorageErrorCode, call: () => Promise<unknown>): Promise<void> {
  const outcome = await call().then(
    () => ({ code: "none", message: "it was not refused" }),
    (error: unknown) => ({ code: codeOf(error), message: String(error) }),
  );
  assert.equal(outcome.code, code, outcome.message);
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

function newest(sessions: readonly SessionStorage[]): SessionStorage {
  const session = sessions.at(-1);
  if (session === undefined) throw new Error("A case has a session from its beginning.");
  return session;
}
