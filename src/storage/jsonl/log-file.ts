import { describeCause, syncOrFail } from "./failures.js";
import type { OpenFile } from "./file-layer.js";
import type { LogHeader } from "./header.js";
import { encodeRecords } from "./record.js";
import type { LogTail, PlacedRecord, RecordDraft } from "./record.js";
import { TextSource } from "./text-source.js";

/** What is known of a file that is open for writing. */
export interface LogFileState {
  readonly path: string;
  readonly header: LogHeader;
  readonly file: OpenFile;
  readonly tail: LogTail;
  readonly synced: number;
  /** Whether an earlier opening may have cut it and left that unsynced. */
  readonly wasWritten: boolean;
  readonly texts?: TextSource;
}

/** The one writer of a file. Its calls do not overlap. */
export class LogFile {
  readonly path: string;
  readonly header: LogHeader;
  readonly texts: TextSource;
  readonly #file: OpenFile;
  #tail: LogTail;
  #synced: number;
  #mustCut = false;
  /** Whether what was cut off might be there again after a power cut. */
  #isCutUnsynced: boolean;

  constructor({ path, header, file, tail, synced, wasWritten, texts }: LogFileState) {
    this.path = path;
    this.header = header;
    this.#file = file;
    this.#tail = tail;
    this.#synced = synced;
    this.#isCutUnsynced = wasWritten;
    this.texts = texts ?? new TextSource(path, file);
  }

  get length(): number {
    return this.#tail.length;
  }

  /** Whether something was written since the last sync. */
  get isUnsynced(): boolean {
    return this.#synced < this.#tail.length;
  }

  /** One write of one line for each draft; all of it, or the file is as before. */
  async append(drafts: readonly RecordDraft[]): Promise<readonly PlacedRecord[]> {
    if (this.#mustCut) await this.#cut();
    return this.#append(drafts, false);
  }

  /** The same, and the whole file is safe from a power cut when it returns. */
  async appendSynced(drafts: readonly RecordDraft[]): Promise<readonly PlacedRecord[]> {
    if (this.#mustCut) await this.#cut();
    if (!this.isUnsynced && !this.#isCutUnsynced) return this.#append(drafts, true);
    const records = await this.#append(drafts, false);
    await this.sync();
    return records;
  }

  async sync(): Promise<void> {
    const { length } = this.#tail;
    await syncOrFail(this.path, this.#file.sync());
    this.#synced = length;
    this.#isCutUnsynced = false;
  }

  /** Closes when the readings that run have ended. What is to last was synced before, so a failure loses nothing. */
  close(): Promise<void> {
    return this.texts.close().catch(() => undefined);
  }

  async #append(drafts: readonly RecordDraft[], isSynced: boolean): Promise<readonly PlacedRecord[]> {
    const { length } = this.#tail;
    const { bytes, tail, records } = encodeRecords(drafts, this.#tail, () => this.#synced);
    try {
      const count = await (isSynced ? this.#file.writeSynced(bytes, length) : this.#file.write(bytes, length));
      if (count < bytes.length) throw new Error(`only ${count} of ${bytes.length} bytes were taken`);
    } catch (error) {
      // Which of both failed the next sync tells; if it was the sync, nothing more is written.
      if (isSynced) await syncOrFail(this.path, this.#file.sync());
      this.#mustCut = true;
      await this.#cut().catch(() => undefined);
      throw error;
    }
    this.#tail = tail;
    if (isSynced) this.#synced = tail.length;
    return records;
  }

  /** Takes back what a failed write left. Until that succeeds nothing can be appended. */
  async #cut(): Promise<void> {
    await this.#file.truncate(this.#tail.length).catch((cause: unknown) => {
      throw new Error(`a failed write could not be taken back: ${describeCause(cause)}`, { cause });
    });
    this.#mustCut = false;
    this.#isCutUnsynced = true;
  }
}
