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

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#bytes += bytes.length;
    this.#newlines += countNewlines(bytes);
    this.#endsOpen = bytes[bytes.length - 1] !== 0x0a;
  }
}

/** A loop over bytes: looking for each newline anew is ten times slower where lines are short. */
function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] === 0x0a) count += 1;
  return count;
}
