/**
 * A file's content with every line end as LF, which is how a model writes it, and the way back to the file's own. Content
 * is a text of one character per byte, so bytes that are no UTF-8 come through unchanged.
 */
export class LineView {
  /** The content, with LF for CRLF. */
  readonly text: string;
  readonly #raw: string;
  /** Positions in {@link text} of the newlines that are CRLF in the file. */
  readonly #returned: number[] = [];
  #starts: readonly number[] | undefined;

  constructor(raw: string) {
    this.#raw = raw;
    for (let at = raw.indexOf("\r\n"); at !== -1; at = raw.indexOf("\r\n", at + 2)) {
      this.#returned.push(at - this.#returned.length);
    }
    this.text = this.#returned.length === 0 ? raw : raw.replaceAll("\r\n", "\n");
  }

  /** The file's own content of a range of {@link text}. */
  raw(from: number, to: number): string {
    return this.#raw.slice(this.#toRaw(from), this.#toRaw(to));
  }

  /**
   * A new text for a range, with the line ends that the range has, or, where it has none, most of the file; a file without
   * line ends takes it as it comes.
   */
  withEnds(text: string, from: number, to: number): string {
    const newline = this.text.indexOf("\n", from);
    const isInRange = newline !== -1 && newline < to;
    if (!isInRange && this.lines === 1) return text;
    const lf = text.replaceAll("\r\n", "\n");
    const isReturned = isInRange ? this.#isReturned(newline) : this.#returned.length * 2 > this.lines - 1;
    return isReturned ? lf.replaceAll("\n", "\r\n") : lf;
  }

  /** Lines of {@link text}; what follows its last newline is one, also where that is nothing. */
  get lines(): number {
    return this.#lineStarts.length;
  }

  /** The line, from 1, that a position of {@link text} is in. */
  lineAt(position: number): number {
    return lowerBound(this.#lineStarts, position + 1);
  }

  /** Where a line begins; the end of the text for one line more than there are. */
  lineStart(line: number): number {
    return this.#lineStarts[line - 1] ?? this.text.length;
  }

  get #lineStarts(): readonly number[] {
    if (this.#starts !== undefined) return this.#starts;
    const starts = [0];
    for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#starts = starts;
    return starts;
  }

  #toRaw(position: number): number {
    return position + lowerBound(this.#returned, position);
  }

  #isReturned(newline: number): boolean {
    return this.#returned[lowerBound(this.#returned, newline)] === newline;
  }
}

/** How many of ascending numbers are less than `limit`. */
function lowerBound(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
