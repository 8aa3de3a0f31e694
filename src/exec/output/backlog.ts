import type { Pipe } from "./capture.js";

/** Bytes of one pipe that are not decoded yet. A flood that is gone before anybody sees it is then never decoded. */
export class Backlog {
  readonly #maxBytes: number;
  readonly #windowBytes: number;
  #pipe: Pipe = 0;
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  /** `windowBytes`: so many bytes of text at the end make what comes before them irrelevant. */
  constructor(windowBytes: number) {
    this.#windowBytes = windowBytes;
    this.#maxBytes = Math.max(262_144, windowBytes * 4);
  }

  get pipe(): Pipe {
    return this.#pipe;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether these bytes can follow what is here; otherwise it has to be taken first. */
  fits(pipe: Pipe, bytes: Uint8Array): boolean {
    return this.#length === 0 || (pipe === this.#pipe && this.#length + bytes.length <= this.#maxBytes);
  }

  /** Takes a copy. */
  add(pipe: Pipe, bytes: Uint8Array): void {
    this.#pipe = pipe;
    if (this.#buffer.length < this.#length + bytes.length) this.#grow(this.#length + bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Gives what is here, good until the next `add`. */
  take(): Uint8Array {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    return bytes;
  }

  /**
   * Forgets what a window that keeps the end would drop anyway, so that what is left begins with a line. Only bytes that are
   * plainly text allow it: no escape sequence may begin in one part and end in the other. Gives whether it did.
   */
  forgetFront(): boolean {
    const bytes = this.#buffer.subarray(0, this.#length);
    const start = bytes.lastIndexOf(0x0a, this.#length - this.#windowBytes - 1) + 1;
    if (this.#length <= this.#windowBytes || start === 0 || !isPlain(bytes)) return false;
    if (!isPrintable(bytes.subarray(start))) return false;
    this.#buffer.copyWithin(0, start, this.#length);
    this.#length -= start;
    return true;
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafe(Math.max(length, Math.min(this.#maxBytes, this.#buffer.length * 2)));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

/** Free of ESC, of carriage returns, and of the byte that begins a C1 control. */
function isPlain(bytes: Buffer): boolean {
  return !bytes.includes(0x1b) && !bytes.includes(0x0d) && !bytes.includes(0xc2);
}

/** Whether every byte is there in the text too: no control that is removed. */
function isPrintable(bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x20 ? byte !== 0x0a && byte !== 0x09 : byte === 0x7f) return false;
  }
  return true;
}
