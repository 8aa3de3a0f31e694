import { applyShellOutputUpdate } from "../../exec/index.js";
import type { Clock, ExecutionEnv, ShellOutputView } from "../../exec/index.js";
import { describeEnd } from "../call-records.js";
import type { CallRecord } from "../call-records.js";
import { Changes } from "../changes.js";
import type { McpWork } from "../contract.js";
import type { FoundExecution, ListedStatus } from "../executions.js";

/** What an execution has given so far, and when that changes. */
export interface WatchedOutput extends Disposable {
  readonly now: OutputNow;
  /** Resolves with the next change, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>;
}

export interface OutputNow extends Pick<CallRecord, "exitCode" | "signal" | "view"> {
  readonly status: ListedStatus;
}

/** How often files are looked at that grow without a word. */
const LOOK_MS = 200;

/** Resolves once there is something to see. */
export async function watchOutput(work: McpWork, found: FoundExecution, clock: Clock): Promise<WatchedOutput> {
  const { record, info } = found;
  if (record === undefined) {
    const attached = new AttachedOutput(work.env, found);
    await attached.opened;
    return attached;
  }
  const isLeft = info?.state === "left";
  return {
    get now(): OutputNow {
      const current = work.records.get(record.toolCallId) ?? record;
      return isLeft ? { ...current, status: "left" } : current;
    },
    changed: (signal) => (isLeft ? pause(clock, signal) : work.records.changed(signal)),
    [Symbol.dispose]: () => undefined,
  };
}

/** One of another session, which is followed as long as somebody looks; its result stays where it is. */
class AttachedOutput implements WatchedOutput {
  readonly #detach = new AbortController();
  readonly #changes = new Changes();
  /** When its window was told, or, where it has ended, how. */
  readonly opened: Promise<void>;
  #view: ShellOutputView | undefined;
  #now: OutputNow;

  constructor(env: ExecutionEnv, { id, info }: FoundExecution) {
    this.#now = { status: info?.state ?? "failed", exitCode: null, signal: null };
    const shown = this.#changes.next(this.#detach.signal);
    const following = env.attach(
      id,
      {
        runOnly: true,
        keep: true,
        onUpdate: (update) => {
          this.#view = applyShellOutputUpdate(this.#view, update);
          this.#changes.tell();
        },
      },
      { signal: this.#detach.signal },
    );
    const end = async (): Promise<void> => {
      const ended = await following;
      const { status, exitCode, signal } = describeEnd(ended);
      this.#now = { status: info?.state === "left" ? "left" : status, exitCode, signal };
      this.#changes.tell();
    };
    const over = end().catch(() => this.#changes.tell());
    this.opened = info?.state === "running" ? shown : over;
  }

  get now(): OutputNow {
    return { ...this.#now, view: this.#view };
  }

  changed(signal: AbortSignal): Promise<void> {
    return this.#changes.next(signal);
  }

  [Symbol.dispose](): void {
    this.#detach.abort();
  }
}

function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = clock.after(LOOK_MS, resolve);
    const stop = (): void => {
      timer.cancel();
      resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}
