import { createDecoder, findEncoding } from "./encoding.js";
import type { ByteDecoder, Encoding } from "./encoding.js";
import { EscapeFilter } from "./escape-filter.js";

/**
 * One pipe's text: whole characters without escape sequences, however the bytes were split. After a newline neither a
 * character nor a sequence is unfinished.
 */
export class TextStream {
  readonly #decoder: ByteDecoder;
  readonly #filter = new EscapeFilter();

  constructor(encoding: Encoding = findEncoding()) {
    this.#decoder = createDecoder(encoding);
  }

  /** Whether any byte has become U+FFFD. */
  get hasReplaced(): boolean {
    return this.#decoder.hasReplaced;
  }

  /** Whether neither a character nor a sequence is unfinished. */
  get isAtRest(): boolean {
    return this.#decoder.isAtRest && this.#filter.isAtRest;
  }

  /** `isPlain` says that the bytes are known to be ASCII without control characters. */
  add(bytes: Uint8Array, isPlain = false): string {
    return this.#filter.filter(this.#decoder.decode(bytes), isPlain);
  }

  /** The pipe has ended: an unfinished character becomes one mark. */
  finish(): string {
    return this.#filter.filter(this.#decoder.finish());
  }

  /** Goes on behind bytes whose text nobody needs. */
  skip(bytes: Buffer): void {
    const newline = bytes.lastIndexOf(0x0a);
    if (newline !== -1) {
      this.#decoder.reset();
      this.#filter.reset();
    }
    this.add(bytes.subarray(newline + 1));
  }
}
