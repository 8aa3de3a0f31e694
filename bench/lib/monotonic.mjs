/**
 * Microseconds of the machine's monotonic clock, which all processes share, as text of fixed length between two marks
 * that no other text of a bench holds.
 */
export function timeMark() {
  return `@${String(nowMicros()).padStart(DIGITS, "0")}@`;
}

const DIGITS = 16;
export const MARK_BYTES = DIGITS + 2;

export function nowMicros() {
  return Number(process.hrtime.bigint() / 1_000n);
}

/**
 * The times in a text, in the order in which they stand there.
 *
 * @param {string} text
 */
export function readTimeMarks(text) {
  return Array.from(text.matchAll(/@(\d{16})@/g), ([, digits]) => Number(digits));
}
