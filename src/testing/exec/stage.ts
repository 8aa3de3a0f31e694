import { applyShellOutputUpdate } from "../../exec/index.js";
import type {
  ExecError,
  ExecErrorCode,
  ExecutionEnv,
  FollowOptions,
  Result,
  ShellOutputView,
} from "../../exec/index.js";
import type { SuiteAssert } from "../storage/index.js";

/** What the suite runs on: one kind of env, and how to begin with a new one. */
export interface ExecSuiteOptions {
  /** Registers one case. The `test` of vitest, of `node:test` and of others fits. */
  readonly test: (title: string, run: () => Promise<void>) => void;
  /** Throws on a difference; `node:assert/strict` fits. */
  readonly assert: SuiteAssert;
  /** Whether the signal that ended a command is told, not an exit code of 128 and its number. Default true. */
  readonly tellsSignals?: boolean;
  /** Makes an env for one case. */
  readonly open: () => Promise<ExecStage>;
}

export interface ExecStage {
  /** Its working folder is empty, and it has a folder for spills. */
  readonly env: ExecutionEnv;
  /** Called when the env was closed. */
  dispose(): Promise<void>;
}

/** One case of the suite. Its title begins with the id of the rule that it shows. */
export interface ExecCase {
  readonly title: string;
  readonly run: (context: CaseContext) => Promise<void>;
}

export interface CaseContext {
  readonly env: ExecutionEnv;
  readonly assert: SuiteAssert;
  readonly tellsSignals: boolean;
  /** Checks that a call failed with a code, in words. Gives the error. */
  readonly fails: (code: ExecErrorCode, call: Promise<Result<unknown, ExecError>>) => Promise<ExecError>;
}

export async function runCase(
  { open, assert, tellsSignals = true }: ExecSuiteOptions,
  { run }: ExecCase,
): Promise<void> {
  const stage = await open();
  try {
    await run({
      env: stage.env,
      assert,
      tellsSignals,
      async fails(code, call) {
        const result = await call;
        if (result.ok) throw new Error(`It succeeded, and ${code} was expected: ${JSON.stringify(result.value)}`);
        assert.equal(result.error.code, code, result.error.message);
        assert.equal(result.error.message.length > 0, true);
        return result.error;
      },
    });
  } finally {
    await stage.env.close();
    await stage.dispose();
  }
}

/** Folds what an execution shows. */
export interface Follower extends FollowOptions {
  readonly kinds: readonly string[];
  readonly view: ShellOutputView | undefined;
  /** All that is shown, the unfinished line included. */
  readonly text: string;
  /** Resolves once that holds `wanted`. */
  shows(wanted: string): Promise<void>;
}

export function createFollower(): Follower {
  const kinds: string[] = [];
  const looks = new Set<() => void>();
  let view: ShellOutputView | undefined;
  const text = (): string => (view?.text ?? "") + (view?.tail ?? "") + (view?.progress ?? "");
  return {
    kinds,
    get view() {
      return view;
    },
    get text() {
      return text();
    },
    onUpdate(update) {
      kinds.push(update.kind);
      view = applyShellOutputUpdate(view, update);
      for (const look of Array.from(looks)) look();
    },
    shows: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!text().includes(wanted)) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
      }),
  };
}

/** Shell text that goes on when the file `go` is there. */
export const GATE = "while [ ! -e go ]; do sleep 0.02; done";
