import type { Scope } from "../address.js";
import type { Sequence, StorageUsage } from "../contract.js";
import { StorageError } from "../errors.js";
import type { SessionContents } from "../index-reader.js";
import { EPOCH_SIZE } from "../sequence.js";
import type { SessionIndex } from "../session-index.js";
import type { JsonText, Write } from "../writes.js";
import { CommitQueue } from "./commit-queue.js";
import type { PendingCommit } from "./commit-queue.js";
import { readOnly, SyncFailure, writeFailed } from "./failures.js";
import type { SessionFiles } from "./file-names.js";
import type { LogFile } from "./log-file.js";
import { MainLog } from "./main-log.js";
import type { Compaction, MainLogState } from "./main-log.js";
import type { JsonlParts } from "./parts.js";
import type { RecordDraft, Span } from "./record.js";
import { SidecarSet } from "./sidecar-set.js";
import { markUnsure } from "./unsure-files.js";

export interface WriterState extends Omit<MainLogState, "log"> {
  readonly main: LogFile;
  readonly sidecars: ReadonlyMap<string, LogFile>;
}

/** Writes one session: commits in rounds, each file with one write and at most one sync a round. */
export class SessionWriter implements SessionContents<Span> {
  readonly index: SessionIndex<Span>;
  readonly #parts: JsonlParts;
  readonly #names: SessionFiles;
  readonly #epoch: number;
  readonly #main: MainLog;
  readonly #sidecars: SidecarSet;
  readonly #queue = new CommitQueue((commits) => this.#writeRound(commits));
  #count = 0;
  #failure: SyncFailure | undefined;
  #lateSync: { cancel(): void } | undefined;
  #isClosed = false;

  constructor(parts: JsonlParts, { names, epoch, index, main, retired, sidecars }: WriterState) {
    this.#parts = parts;
    this.#names = names;
    this.#epoch = epoch;
    this.index = index;
    this.#main = new MainLog(parts, { names, epoch, index, log: main, retired });
    this.#sidecars = new SidecarSet(parts, names, index, sidecars);
  }

  /** Fixes the commit's place in the order at once. */
  commit(scope: Scope, writes: readonly Write<JsonText>[], mustSync: boolean): Promise<Sequence> {
    this.#count += 1;
    const sequence = this.#epoch * EPOCH_SIZE + this.#count;
    return new Promise((resolve, refuse) => {
      this.#queue.push({ scope, draft: { sequence, writes }, mustSync, acknowledge: () => resolve(sequence), refuse });
    });
  }

  refuseFailed(): void {
    if (this.#failure !== undefined) throw readOnly(this.#names.sessionId, this.#failure);
  }

  readonly load = async (scope: Scope, spans: readonly Span[]): Promise<readonly string[]> => {
    const log = scope.kind === "session" ? this.#main.log : this.#sidecars.get(scope.id);
    return log === undefined ? [] : log.texts.load(spans);
  };

  get usage(): StorageUsage {
    const { bytes, peakBytes } = this.#sidecars;
    return { mainBytes: this.#main.log.length, sidecarBytes: bytes, sidecarPeakBytes: peakBytes };
  }

  /** Runs a task while nothing is written. */
  runAlone<R>(task: (main: MainLog) => Promise<R>): Promise<R> {
    return this.#queue.runAlone(() => task(this.#main));
  }

  /** Leaves out of the main log what is dead. */
  compact(): Promise<Compaction> {
    return this.#queue.runAlone(async () => {
      this.refuseFailed();
      return this.#main.rewrite().catch(async (cause: unknown) => {
        await this.#fail(cause);
        throw writeFailed(this.#main.log.path, cause);
      });
    });
  }

  /** Writes and syncs what waits, then closes the files. Fails where that sync does. */
  close(): Promise<void> {
    return this.#queue.runAlone(async () => {
      const earlier = this.#failure;
      this.#lateSync?.cancel();
      await this.#syncAll();
      // An interval may have ended meanwhile, whose sync is next.
      this.#isClosed = true;
      for (const log of this.#logs) await log.close();
      if (this.#failure !== undefined && earlier === undefined) throw writeFailed(this.#main.log.path, this.#failure);
    });
  }

  get #logs(): readonly LogFile[] {
    return [this.#main.log, ...this.#sidecars.logs];
  }

  async #writeRound(commits: readonly PendingCommit[]): Promise<void> {
    const groups = groupByScope(commits);
    // Most rounds are of one file, and then there is nothing to wait for side by side.
    const [only] = groups;
    if (groups.length === 1 && only !== undefined) await this.#writeGroup(only);
    else await Promise.all(groups.map((group) => this.#writeGroup(group)));
    for (const { scope } of groups) {
      const rewriting = scope.kind === "session" ? this.#main.rewriteIfDue() : this.#sidecars.rewriteIfDue(scope.id);
      if (rewriting !== undefined) await rewriting.catch((failure: unknown) => this.#fail(failure));
    }
  }

  async #writeGroup({ scope, commits, drafts, mustSync }: ScopeGroup): Promise<void> {
    try {
      this.refuseFailed();
      const records = await (scope.kind === "session"
        ? this.#main.append(drafts)
        : this.#sidecars.append(scope.id, drafts, mustSync));
      if (!mustSync) this.#syncLater();
      for (const { writes, sequence } of records) this.index.apply(scope, writes, sequence);
      for (const { writes } of records) {
        for (const write of writes) if (write.kind === "retire") await this.#sidecars.drop(write.scopeId);
      }
    } catch (cause) {
      await this.#fail(cause);
      const path = scope.kind === "session" ? this.#main.log.path : this.#names.sidecar(scope.id);
      const error = cause instanceof StorageError ? cause : writeFailed(path, cause);
      for (const { refuse } of commits) refuse(error);
      return;
    }
    for (const { acknowledge } of commits) acknowledge();
  }

  #syncLater(): void {
    if (this.#lateSync !== undefined) return;
    this.#lateSync = this.#parts.timers.after(this.#parts.syncIntervalMs, () => {
      this.#lateSync = undefined;
      void this.#queue.runAlone(() => this.#syncAll());
    });
  }

  /** A failure is kept and told; it does not reject. */
  async #syncAll(): Promise<void> {
    if (this.#isClosed) return;
    for (const log of this.#logs) {
      if (log.isUnsynced) await log.sync().catch((failure: unknown) => this.#fail(failure));
    }
  }

  /** After a failed sync nothing that is written can be relied on; any other failure concerns its own commits alone. */
  async #fail(failure: unknown): Promise<void> {
    if (!(failure instanceof SyncFailure) || this.#failure !== undefined) return;
    this.#failure = failure;
    await markUnsure(this.#parts.files, this.#names);
    this.#parts.report({ kind: "sync_failed", file: failure.path, message: failure.message, cause: failure });
  }
}

/** What a round writes into one file. */
interface ScopeGroup {
  readonly scope: Scope;
  readonly commits: PendingCommit[];
  readonly drafts: RecordDraft[];
  /** Whether any of them must be on disk before it is acknowledged. */
  mustSync: boolean;
}

function groupByScope(commits: readonly PendingCommit[]): readonly ScopeGroup[] {
  const groups = new Map<string, ScopeGroup>();
  for (const commit of commits) {
    const { scope, draft, mustSync } = commit;
    const id = scope.kind === "session" ? MAIN : scope.id;
    const group = groups.get(id);
    if (group === undefined) {
      groups.set(id, { scope, commits: [commit], drafts: [draft], mustSync });
    } else {
      group.commits.push(commit);
      group.drafts.push(draft);
      group.mustSync ||= mustSync;
    }
  }
  return [...groups.values()];
}

/** No scope has this id. */
const MAIN = "";
