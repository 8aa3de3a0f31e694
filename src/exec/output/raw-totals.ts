/** Exact totals of the merged raw stream. */
export class RawTotals {
  #bytes = 0;
  #newlines = 0;
  #endsOpen = false;

  get bytes(): number {
    return this.#bytes;
  }

  /** Newlines, plus one if the last byte is another. */
  get lines(): number {
    return this.#newlines + (this.#endsOpen ? 1 : 0);
  }

  /** Takes bytes, of which so many are newlines. */
  add(bytes: Uint8Array, newlines: number): void {
    if (bytes.length === 0) return;
    this.#bytes += bytes.length;
    this.#newlines += newlines;
    this.#endsOpen = bytes[bytes.length - 1] !== 0x0a;
  }
}
