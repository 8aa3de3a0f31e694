import type { Scope } from "../address.js";
import { boundLine } from "./record.js";
import type { RecordDraft } from "./record.js";

/** A commit whose place in the order is fixed and that waits to be written. */
export interface PendingCommit {
  readonly scope: Scope;
  readonly draft: RecordDraft;
  /** Whether it must be on disk before it is acknowledged. */
  readonly mustSync: boolean;
  readonly acknowledge: () => void;
  readonly refuse: (error: unknown) => void;
}

interface PendingTask {
  readonly run: () => Promise<void>;
}

/**
 * Gives out waiting commits in rounds: what waits while one round is written is the next, so that it shares a write and
 * a sync. Rounds and tasks never overlap.
 */
export class CommitQueue {
  readonly #writeRound: (commits: readonly PendingCommit[]) => Promise<void>;
  #waiting: (PendingCommit | PendingTask)[] = [];
  #isRunning = false;

  /** `writeRound` settles every commit of its round and does not reject. */
  constructor(writeRound: (commits: readonly PendingCommit[]) => Promise<void>) {
    this.#writeRound = writeRound;
  }

  push(commit: PendingCommit): void {
    this.#waiting.push(commit);
    this.#start();
  }

  /** Runs a task after all that waits now, with nothing beside it. */
  runAlone<R>(task: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ run: () => task().then(resolve, reject) });
      this.#start();
    });
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    // Begins after this turn, so that commits of one turn are one round.
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting;
      if (first !== undefined && "run" in first) {
        this.#waiting.shift();
        await first.run();
      } else {
        await this.#writeRound(this.#takeRound());
      }
    }
    this.#isRunning = false;
  }

  /** The longest beginning of what waits in which no scope is both written and retired: lives must not mix in a file. */
  #takeRound(): readonly PendingCommit[] {
    const written = new Set<string>();
    const retired = new Set<string>();
    const round: PendingCommit[] = [];
    let bytes = 0;
    for (const work of this.#waiting) {
      if ("run" in work || bytes > MAX_ROUND_BYTES) break;
      const { scope, draft } = work;
      if (scope.kind === "ephemeral" && retired.has(scope.id)) break;
      if (draft.writes.some((write) => write.kind === "retire" && written.has(write.scopeId))) break;
      if (scope.kind === "ephemeral") written.add(scope.id);
      for (const write of draft.writes) if (write.kind === "retire") retired.add(write.scopeId);
      bytes += boundLine(draft);
      round.push(work);
    }
    this.#waiting = this.#waiting.slice(round.length);
    return round;
  }
}

/** After that much a round ends, so that what is held twice stays bounded. */
const MAX_ROUND_BYTES = 8 * 1024 * 1024;
