import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";

const ELLIPSIS = "…";
const PLAIN_ASCII = /^[\x20-\x7e]*$/;
/** Code units that one column can need at the worst: a base character and its marks, an emoji with its joiners. */
const UNITS_PER_COLUMN = 16;

/** The line if it fits into so many columns, else its beginning and `…`. The cost follows the columns, not the line. */
export function fitLine(line: string, columns: number): string {
  if (columns <= 0) return "";
  const start = line.slice(0, columns * UNITS_PER_COLUMN);
  const isWhole = start.length === line.length;
  if (PLAIN_ASCII.test(start)) {
    return isWhole && start.length <= columns ? start : `${start.slice(0, columns - 1)}${ELLIPSIS}`;
  }
  if (isWhole && stringWidth(start) <= columns) return start;
  return `${sliceAnsi(start, 0, columns - 1)}${ELLIPSIS}`;
}
