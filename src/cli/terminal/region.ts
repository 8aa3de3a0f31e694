import stringWidth from "string-width";

/** The terminal that a region is drawn on. */
export interface RegionTerminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
}

// Nothing here clears the screen: rows are rewritten in place and only what lies below the region is erased.
const BEGIN_FRAME = "\u001b[?2026h";
const END_FRAME = "\u001b[?2026l";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
// A row that is wider than the terminal thinks is cut by it, instead of becoming two.
const WRAP_OFF = "\u001b[?7l";
const WRAP_ON = "\u001b[?7h";
// Always at the start of a row and before its text: after a full row the cursor still stands on its last character.
const ERASE_ROW = "\u001b[K";
const ERASE_BELOW = "\u001b[J";
/** Undoes all that a region may have set, for a process that ends at an arbitrary point. */
export const RESTORE_TERMINAL = `${WRAP_ON}${SHOW_CURSOR}`;

/**
 * The last rows of a terminal, redrawn in place. The cursor rests at the start of the last row. Only rows that changed are
 * written, each frame in one piece, so that a frame costs at most the region itself.
 */
export class LiveRegion {
  readonly #terminal: RegionTerminal;
  #rows: readonly string[] = [];
  #columns = 0;

  constructor(terminal: RegionTerminal) {
    this.#terminal = terminal;
  }

  /** Shows these rows. They must hold no newline and fit the terminal, whose height is more than their number. */
  draw(rows: readonly string[]): void {
    const { columns } = this.#terminal;
    const body = columns === this.#columns ? this.#patch(rows) : this.#repaint(rows);
    this.#rows = rows;
    this.#columns = columns;
    if (body !== "") this.#terminal.write(`${BEGIN_FRAME}${HIDE_CURSOR}${WRAP_OFF}${body}${WRAP_ON}${END_FRAME}`);
  }

  /** Removes the region; the cursor is where its first row began, visible. */
  clear(): void {
    const erase = this.#rows.length === 0 ? "" : `${this.#toFirstRow()}${ERASE_BELOW}`;
    this.#forget();
    this.#terminal.write(`${erase}${RESTORE_TERMINAL}`);
  }

  /** Leaves the region standing as text above the cursor. */
  release(): void {
    const end = this.#rows.length === 0 ? "" : "\r\n";
    this.#forget();
    this.#terminal.write(`${end}${RESTORE_TERMINAL}`);
  }

  #patch(rows: readonly string[]): string {
    const previous = this.#rows;
    const shrinks = rows.length < previous.length;
    const changed = rows.findIndex((row, index) => row !== previous[index]);
    if (changed === -1 && !shrinks) return "";
    const first = changed === -1 ? rows.length - 1 : changed;
    const last = previous.length - 1;
    const move = first <= last ? `\r${moveUp(last - first)}` : "\r\n";
    if (shrinks) return `${move}${ERASE_BELOW}${rows.slice(first).join("\r\n")}\r`;
    const written = rows
      .slice(first)
      .map((row, offset) => (row === previous[first + offset] ? "" : `${ERASE_ROW}${row}`));
    return `${move}${written.join("\r\n")}\r`;
  }

  #repaint(rows: readonly string[]): string {
    const move = this.#rows.length === 0 ? "" : this.#toFirstRow();
    return `${move}${ERASE_BELOW}${rows.join("\r\n")}\r`;
  }

  /** Terminals wrap what they already show when they become narrower, so that a row may stand on several lines now. */
  #toFirstRow(): string {
    const { columns } = this.#terminal;
    const above = this.#rows.slice(0, -1);
    const lines =
      columns >= this.#columns
        ? above.length
        : above.reduce((sum, row) => sum + Math.max(1, Math.ceil(stringWidth(row) / columns)), 0);
    return `\r${moveUp(lines)}`;
  }

  #forget(): void {
    this.#rows = [];
    this.#columns = 0;
  }
}

function moveUp(lines: number): string {
  return lines > 0 ? `\u001b[${lines}A` : "";
}
