import type { Write } from "../writes.js";
import { describeCause, syncOrFail } from "./failures.js";
import type { OpenFile } from "./file-layer.js";
import type { LogHeader } from "./header.js";
import { encodeRecords } from "./record.js";
import type { LogTail, RecordDraft, Span } from "./record.js";
import { TextSource } from "./text-source.js";

/** What is known of a file that is open for writing. */
export interface LogFileState {
  readonly path: string;
  readonly header: LogHeader;
  readonly file: OpenFile;
  readonly tail: LogTail;
  readonly synced: number;
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

  constructor({ path, header, file, tail, synced, texts }: LogFileState) {
    this.path = path;
    this.header = header;
    this.#file = file;
    this.#tail = tail;
    this.#synced = synced;
    this.texts = texts ?? new TextSource(path, file);
  }

  get length(): number {
    return this.#tail.length;
  }

  /** Whether something was written since the last sync. */
  get isUnsynced(): boolean {
    return this.#synced < this.#tail.length;
  }

  /** One write of one line for each draft; all of it, or the file is as before. Gives the places of the texts. */
  async append(drafts: readonly RecordDraft[]): Promise<readonly (readonly Write<Span>[])[]> {
    if (this.#mustCut) await this.#cut();
    const { bytes, tail, writes } = encodeRecords(drafts, this.#tail, () => this.#synced);
    try {
      const count = await this.#file.write(bytes, this.#tail.length);
      if (count < bytes.length) throw new Error(`only ${count} of ${bytes.length} bytes were taken`);
    } catch (error) {
      this.#mustCut = true;
      await this.#cut().catch(() => undefined);
      throw error;
    }
    this.#tail = tail;
    return writes;
  }

  async sync(): Promise<void> {
    const { length } = this.#tail;
    await syncOrFail(this.path, this.#file.sync());
    this.#synced = length;
  }

  /** Closes when the readings that run have ended. What is to last was synced before, so a failure loses nothing. */
  close(): Promise<void> {
    return this.texts.close().catch(() => undefined);
  }

  /** Takes back what a failed write left. Until that succeeds nothing can be appended. */
  async #cut(): Promise<void> {
    await this.#file.truncate(this.#tail.length).catch((cause: unknown) => {
      throw new Error(`a failed write could not be taken back: ${describeCause(cause)}`, { cause });
    });
    this.#mustCut = false;
  }
}
