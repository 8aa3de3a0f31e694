/** What a text weighs against caps. */
export interface TextSize {
  /** UTF-8 bytes. */
  readonly bytes: number;
  readonly newlines: number;
  /** Whether the text ends within a line. */
  readonly open: boolean;
}

export const EMPTY_SIZE: TextSize = { bytes: 0, newlines: 0, open: false };

const NEWLINE = 0x0a;

export function measureText(text: string): TextSize {
  return { bytes: Buffer.byteLength(text), newlines: countNewlines(text), open: isOpen(text) };
}

/** Newlines, plus one for an unterminated last line. */
export function linesOf(size: TextSize): number {
  return size.newlines + (size.open ? 1 : 0);
}

/** The size of two texts, one after the other. */
export function joinSizes(first: TextSize, second: TextSize): TextSize {
  return {
    bytes: first.bytes + second.bytes,
    newlines: first.newlines + second.newlines,
    open: second.bytes > 0 ? second.open : first.open,
  };
}

/** The size of what is left of a text once its front is dropped. */
export function dropSize(whole: TextSize, front: TextSize): TextSize {
  const bytes = whole.bytes - front.bytes;
  return { bytes, newlines: whole.newlines - front.newlines, open: bytes > 0 && whole.open };
}

/** Whether a text ends within a line. */
export function isOpen(text: string): boolean {
  return text !== "" && text.charCodeAt(text.length - 1) !== NEWLINE;
}

// A loop over code units: searching for each newline is ten times slower where lines are short.
function countNewlines(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === NEWLINE) count += 1;
  return count;
}
