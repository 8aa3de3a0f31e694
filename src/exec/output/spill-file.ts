import type { SpillBudget } from "./spill-budget.js";
import type { OpenSpill, SpillHandle } from "./spill-handle.js";
import { SpillQueue } from "./spill-queue.js";
import type { SpillReport } from "./view.js";

/** Bytes that wait for the disk before the pipes are asked to wait too. */
export const MAX_QUEUED_BYTES = 1_048_576;
export const DEFAULT_MAX_SPILL_BYTES = 1_073_741_824;

export interface SpillFileOptions {
  readonly path: string;
  readonly maxBytes: number;
  /** What the file shares with others; absent for no such limit. */
  readonly budget?: SpillBudget | undefined;
  readonly openSpill: OpenSpill;
  readonly onDrain: () => void;
  /** Told once, when a quota ends the saving. */
  readonly onFull?: (() => void) | undefined;
}

/**
 * The whole raw output in a file. Until it is opened it holds what came; then it writes in order. When the file cannot take
 * more, the saving stops and says why; the output goes on.
 */
export class SpillFile {
  readonly path: string;
  readonly #options: SpillFileOptions;
  readonly #queue = new SpillQueue();
  #acceptedBytes = 0;
  #savedBytes = 0;
  #reason: SpillReport["reason"];
  #writing: Promise<void> | undefined;
  #handle: SpillHandle | undefined;
  #isOpen = false;
  #isMissing = false;
  #isBehind = false;

  constructor(options: SpillFileOptions) {
    this.path = options.path;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether the file could not be made, or was removed: what lies at its path then is not this output. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** Takes a copy. False where the file is behind and the caller should wait for `onDrain`. */
  push(bytes: Uint8Array): boolean {
    if (this.#reason !== undefined || bytes.length === 0) return !this.#isBehind;
    const taken = bytes.subarray(0, this.#options.maxBytes - this.#acceptedBytes);
    this.#acceptedBytes += taken.length;
    if (taken.length < bytes.length) this.#fill();
    // A write of nothing would end before it is noted as under way, and be waited for without end.
    if (taken.length === 0) return !this.#isBehind;
    this.#queue.add(taken);
    if (!this.#isOpen) return true;
    this.#writing ??= this.#write();
    this.#isBehind = this.#queue.bytes > MAX_QUEUED_BYTES;
    return !this.#isBehind;
  }

  /** Opens the file and begins to write what was held. */
  open(): void {
    this.#isOpen = true;
    this.#writing ??= this.#write();
  }

  /** Waits until everything is written, and closes the file. */
  async finish(): Promise<SpillReport | undefined> {
    if (!this.#isOpen) {
      this.#queue.clear();
      return undefined;
    }
    while (this.#writing !== undefined) await this.#writing;
    if (this.#handle !== undefined) await this.#close(this.#handle);
    this.#queue.clear();
    const report = { path: this.path, bytes: this.#savedBytes };
    return this.#reason === undefined
      ? { ...report, complete: true }
      : { ...report, complete: false, reason: this.#reason };
  }

  async #write(): Promise<void> {
    try {
      this.#handle ??= await this.#openFile();
      for (let piece = this.#queue.take(); piece !== undefined; piece = this.#queue.take()) {
        await this.#writeWithin(this.#handle, piece);
        this.#queue.release(piece);
        this.#tellDrain();
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#writing = undefined;
    this.#tellDrain();
  }

  async #close(handle: SpillHandle): Promise<void> {
    try {
      // Commands can remove it, and so can whoever cleans up; nobody may be sent to a file that is not there.
      if (!(await handle.isInPlace())) this.#forget();
      await handle.close();
    } catch (error) {
      this.#fail(error);
    }
  }

  #forget(): void {
    this.#isMissing = true;
    this.#savedBytes = 0;
    this.#stop("removed");
  }

  async #openFile(): Promise<SpillHandle> {
    try {
      return await this.#options.openSpill(this.path);
    } catch (error) {
      this.#isMissing = true;
      throw error;
    }
  }

  /** Writes what the budget has room for; where that is not all, the saving stops. */
  async #writeWithin(handle: SpillHandle, bytes: Buffer): Promise<void> {
    const { budget } = this.#options;
    const room = budget === undefined ? bytes.length : await budget.take(bytes.length);
    await this.#writeAll(handle, bytes.subarray(0, room));
    if (room < bytes.length) {
      this.#fill();
      this.#queue.clear();
    }
  }

  async #writeAll(handle: SpillHandle, bytes: Buffer): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await handle.write(bytes, written, bytes.length - written);
      if (bytesWritten === 0) throw new Error("the file takes no more bytes");
      written += bytesWritten;
      this.#savedBytes += bytesWritten;
    }
  }

  #tellDrain(): void {
    if (!this.#isBehind || this.#queue.bytes > MAX_QUEUED_BYTES / 2) return;
    this.#isBehind = false;
    this.#options.onDrain();
  }

  #fill(): void {
    if (this.#reason !== undefined) return;
    this.#reason = "quota";
    this.#options.onFull?.();
  }

  #fail(error: unknown): void {
    this.#stop(isDiskFull(error) ? "disk_full" : "write_failed");
  }

  #stop(reason: SpillReport["reason"]): void {
    this.#reason = reason;
    this.#queue.clear();
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
