import type { ScopeIndex } from "../scope-index.js";
import type { SessionIndex } from "../session-index.js";
import { DueRewriting } from "./due-rewriting.js";
import { describeCause } from "./failures.js";
import type { SessionFiles } from "./file-names.js";
import { FORMAT_VERSION } from "./header.js";
import type { LogFile } from "./log-file.js";
import type { JsonlParts } from "./parts.js";
import type { PlacedRecord, RecordDraft, Span } from "./record.js";
import { replaceLog } from "./replacement.js";
import { boundLiving, rewriteLog } from "./rewriting.js";

/** The sidecars of a session that is written: made by their first commit, rewritten when mostly dead, unlinked in the end. */
export class SidecarSet {
  readonly #parts: JsonlParts;
  readonly #names: SessionFiles;
  readonly #index: SessionIndex<Span>;
  readonly #logs: Map<string, LogFile>;
  readonly #rewritings = new Map<string, DueRewriting>();
  #peakBytes = 0;

  constructor(parts: JsonlParts, names: SessionFiles, index: SessionIndex<Span>, logs: ReadonlyMap<string, LogFile>) {
    this.#parts = parts;
    this.#names = names;
    this.#index = index;
    this.#logs = new Map(logs);
    this.#notePeak();
  }

  get bytes(): number {
    return this.logs.reduce((sum, { length }) => sum + length, 0);
  }

  /** The most that all sidecars held together, files in the making included. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  get logs(): readonly LogFile[] {
    return [...this.#logs.values()];
  }

  get(id: string): LogFile | undefined {
    return this.#logs.get(id);
  }

  /** Writes commits of one scope. A new life begins with a fresh file, in place of one that could not be unlinked. */
  async append(id: string, drafts: readonly RecordDraft[], mustSync: boolean): Promise<readonly PlacedRecord[]> {
    const log = this.#logs.get(id);
    const records = await (log === undefined
      ? this.#make(id, drafts)
      : mustSync
        ? log.appendSynced(drafts)
        : log.append(drafts));
    this.#notePeak();
    return records;
  }

  /** Removes a file whose scope was retired. That may fail: its header tells the next opening that it is dead. */
  async drop(id: string): Promise<void> {
    const log = this.#logs.get(id);
    if (log === undefined) return;
    this.#logs.delete(id);
    this.#rewritings.delete(id);
    await this.#parts.files.unlink(log.path).catch((cause: unknown) => {
      const message = `${log.path} is dead and could not be removed (${describeCause(cause)}); the next opening tries again.`;
      this.#parts.report({ kind: "unlink_failed", file: log.path, message, cause });
    });
    await log.close();
  }

  /** Leaves out what is dead once that is too much. Fails only where a sync does. */
  rewriteIfDue(id: string): Promise<void> | undefined {
    const log = this.#logs.get(id);
    const living = this.#index.sidecars.get(id);
    if (log === undefined || living === undefined) return undefined;
    const rewriting = this.#rewritings.get(id) ?? new DueRewriting(this.#parts.report, this.#parts.maxDeadBytes);
    this.#rewritings.set(id, rewriting);
    const { maxDeadBytes } = this.#parts;
    const mayBe = boundLiving(living) + (living.count === 0 ? Math.min(MAX_EMPTY_BYTES, maxDeadBytes) : maxDeadBytes);
    if (!rewriting.isDue(log, mayBe)) return undefined;
    return rewriting.run(log, () => this.#rewrite(id, log, living));
  }

  async #rewrite(id: string, log: LogFile, living: ScopeIndex<Span>): Promise<void> {
    const rewritten = await rewriteLog(this.#parts.files, log, log.header, living);
    this.#notePeak(rewritten.log.length);
    this.#logs.set(id, rewritten.log);
    this.#index.sidecars.set(id, rewritten.index);
    await log.close();
  }

  async #make(id: string, drafts: readonly RecordDraft[]): Promise<readonly PlacedRecord[]> {
    const records: PlacedRecord[] = [];
    const since = drafts[0]?.sequence ?? 0;
    const header = { version: FORMAT_VERSION, session: this.#names.sessionId, scope: id, since };
    const place = (record: PlacedRecord): unknown => records.push(record);
    this.#logs.set(id, await replaceLog(this.#parts.files, this.#names.sidecar(id), header, [drafts], place));
    return records;
  }

  #notePeak(unfinishedBytes = 0): void {
    this.#peakBytes = Math.max(this.#peakBytes, this.bytes + unfinishedBytes);
  }
}

/** Of a file in which nothing lives any more, because a message or a call has settled: there is nothing to copy. */
const MAX_EMPTY_BYTES = 8 * 1024;
