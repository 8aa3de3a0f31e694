/** Below this a loop over bytes is as fast. */
const MIN_WORDS_BYTES = 64;
/** As many words are added up before a sum of one byte overflows: two sums, of two words each, a turn. */
const TURNS_PER_SUM = 127;
const WORDS_PER_TURN = 4;
/** A beginning that tells how long lines are. */
const PROBE_BYTES = 1_024;
/** Where lines are as long as this, looking for the next newline is faster than looking at every word. */
const LONG_LINE_BYTES = 80;

/** Counts newlines, which has to be done for every byte that any command prints. */
export function countNewlines(bytes: Uint8Array): number {
  if (bytes.length < MIN_WORDS_BYTES) return countEach(bytes);
  const probe = bytes.subarray(0, PROBE_BYTES);
  const first = countWords(probe);
  if (probe.length === bytes.length) return first;
  const rest = bytes.subarray(PROBE_BYTES);
  return first + (first * LONG_LINE_BYTES <= PROBE_BYTES ? countFound(rest) : countWords(rest));
}

function countFound(bytes: Uint8Array): number {
  let newlines = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) newlines += 1;
  return newlines;
}

function countEach(bytes: Uint8Array): number {
  let newlines = 0;
  for (const byte of bytes) if (byte === 0x0a) newlines += 1;
  return newlines;
}

/** Four bytes at a time. */
function countWords(bytes: Uint8Array): number {
  const start = Math.min(bytes.length, (4 - (bytes.byteOffset % 4)) % 4);
  const turns = Math.floor((bytes.length - start) / (4 * WORDS_PER_TURN));
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, turns * WORDS_PER_TURN);
  const rest = bytes.subarray(start + words.byteLength);
  return countEach(bytes.subarray(0, start)) + countInWords(words) + countEach(rest);
}

function countInWords(words: Int32Array): number {
  let newlines = 0;
  for (let index = 0; index < words.length;) {
    const end = Math.min(words.length, index + TURNS_PER_SUM * WORDS_PER_TURN);
    let even = 0;
    let odd = 0;
    for (; index < end; index += WORDS_PER_TURN) {
      even = (even + newlinesIn(words[index] ?? 0) + newlinesIn(words[index + 1] ?? 0)) | 0;
      odd = (odd + newlinesIn(words[index + 2] ?? 0) + newlinesIn(words[index + 3] ?? 0)) | 0;
    }
    newlines += addBytes(even) + addBytes(odd);
  }
  return newlines;
}

/** One in each byte of the word that is a newline. */
function newlinesIn(word: number): number {
  const other = word ^ 0x0a0a0a0a;
  // The top bit of each byte says whether it is not a newline.
  return (~(((other & 0x7f7f7f7f) + 0x7f7f7f7f) | other) & 0x80808080) >>> 7;
}

function addBytes(word: number): number {
  return (word & 0xff) + ((word >>> 8) & 0xff) + ((word >>> 16) & 0xff) + ((word >>> 24) & 0xff);
}
