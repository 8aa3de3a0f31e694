/**
 * Words of bytes as strings, one string for all times that a word comes: a history has few keys and names them in every
 * line, and a string that is known costs less than one that is made, and less again where it is looked up.
 */
export class WordTable {
  readonly #words = new Map<number, Word>();

  read(bytes: Buffer, start: number, end: number): string {
    let hash = end - start;
    for (let place = start; place < end; place += 1) hash = (Math.imul(hash, 31) + (bytes[place] ?? 0)) | 0;
    const known = this.#words.get(hash);
    if (known !== undefined && isAt(known.bytes, bytes, start, end)) return known.text;
    const text = bytes.toString("latin1", start, end);
    if (this.#words.size < MAX_WORDS) this.#words.set(hash, { bytes: Buffer.from(bytes.subarray(start, end)), text });
    return text;
  }
}

interface Word {
  readonly bytes: Buffer;
  readonly text: string;
}

function isAt(word: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let index = 0; index < word.length; index += 1) if (word[index] !== bytes[start + index]) return false;
  return true;
}

/** Ids of scopes are words too, and each comes but a few times. */
const MAX_WORDS = 1_000;
