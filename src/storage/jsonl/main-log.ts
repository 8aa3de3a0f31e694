import type { Sequence } from "../contract.js";
import { StorageError } from "../errors.js";
import { EPOCH_SIZE } from "../sequence.js";
import type { SessionIndex } from "../session-index.js";
import { DueRewriting } from "./due-rewriting.js";
import { syncOrFail } from "./failures.js";
import type { SessionFiles } from "./file-names.js";
import type { LogFile } from "./log-file.js";
import type { JsonlParts } from "./parts.js";
import type { PlacedRecord, RecordDraft, Span } from "./record.js";
import { boundLiving, rewriteLog } from "./rewriting.js";
import type { Mark } from "./rewriting.js";

export interface MainLogState {
  readonly names: SessionFiles;
  readonly epoch: number;
  readonly index: SessionIndex<Span>;
  readonly log: LogFile;
  /** The last retirement of each scope. */
  readonly retired: ReadonlyMap<string, Sequence>;
}

/** How long a main log was, and is. */
export interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** The main log of a session that is written: synced with every append, rewritten when mostly dead. */
export class MainLog {
  readonly #parts: JsonlParts;
  readonly #names: SessionFiles;
  readonly #epoch: number;
  readonly #index: SessionIndex<Span>;
  readonly #retired: Map<string, Sequence>;
  #log: LogFile;
  #lastSequence: Sequence;
  readonly #rewriting: DueRewriting;

  constructor(parts: JsonlParts, { names, epoch, index, log, retired }: MainLogState) {
    this.#parts = parts;
    this.#names = names;
    this.#epoch = epoch;
    this.#index = index;
    this.#log = log;
    this.#rewriting = new DueRewriting(parts.report, parts.minMainDeadBytes);
    this.#retired = new Map(retired);
    this.#lastSequence = epoch * EPOCH_SIZE;
  }

  get log(): LogFile {
    return this.#log;
  }

  /** Of the last commit that is on disk. */
  get lastSequence(): Sequence {
    return this.#lastSequence;
  }

  /** What the session held before is not known any more: something that died by then was left out of the file. */
  get forgottenBefore(): Sequence {
    return this.#log.header.since;
  }

  /** Writes commits and syncs them. */
  async append(drafts: readonly RecordDraft[]): Promise<readonly PlacedRecord[]> {
    const records = await this.#log.appendSynced(drafts);
    for (const { sequence, writes } of records) {
      for (const write of writes) if (write.kind === "retire") this.#retired.set(write.scopeId, sequence);
      this.#lastSequence = sequence;
    }
    return records;
  }

  /** Leaves out what is dead once that is more than what lives, and enough to be worth it. Fails only where a sync does. */
  rewriteIfDue(): Promise<void> | undefined {
    const mayBe = 2 * boundLiving(this.#index.main) + this.#parts.minMainDeadBytes;
    if (!this.#rewriting.isDue(this.#log, mayBe)) return undefined;
    return this.#rewriting.run(this.#log, () => this.rewrite());
  }

  /** Leaves out what is dead. A failure changes nothing, unless it is of a sync. */
  async rewrite(): Promise<Compaction> {
    const old = this.#log;
    const { files } = this.#parts;
    // A retirement may be forgotten only when no power cut can bring back the file that it ended.
    await syncOrFail(this.#names.folder, files.syncFolder(this.#names.folder));
    const { scopeIds } = this.#names.sort(await files.list(this.#names.folder));
    const since = Math.max(old.header.since, this.#index.main.lastLoss);
    const marks = [...this.#marksOf(scopeIds), { sequence: this.#epoch * EPOCH_SIZE, epoch: this.#epoch }];
    const { log, index } = await rewriteLog(files, old, { ...old.header, since }, this.#index.main, marks);
    // In one turn, because a reading takes its places from the one and its texts from the other.
    this.#log = log;
    this.#index.main = index;
    await old.close();
    return { bytesBefore: old.length, bytesAfter: log.length };
  }

  /** Refuses a fork at a place before which something was left out. */
  refuseForgotten(upTo: Sequence): void {
    if (upTo >= this.forgottenBefore) return;
    throw new StorageError(
      "invalid_argument",
      `What session ${this.#names.sessionId} held at sequence ${upTo} is not known any more: it was compacted, and what ` +
        `had died by sequence ${this.forgottenBefore} is gone. Fork it there or later.`,
    );
  }

  #marksOf(scopeIds: readonly string[]): Mark[] {
    return scopeIds.flatMap((retired) => {
      const sequence = this.#retired.get(retired);
      return sequence === undefined ? [] : [{ sequence, retired }];
    });
  }
}
