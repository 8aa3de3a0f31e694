import { EscapeFilter } from "./escape-filter.js";

/** One pipe's text: whole characters without escape sequences, however the bytes were split. */
export class TextStream {
  // A byte order mark is a character like any other here.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #filter = new EscapeFilter();

  /** Whether no character and no sequence is unfinished, as far as the bytes tell. */
  get isBetween(): boolean {
    return this.#filter.isGround;
  }

  add(bytes: Uint8Array): string {
    return this.#filter.filter(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The pipe has ended: an unfinished character becomes one mark. */
  finish(): string {
    return this.#filter.filter(this.#decoder.decode());
  }
}
