import stringWidth from "string-width";

const ELLIPSIS = "…";
const PLAIN_ASCII = /^[\x20-\x7e]*$/;
/** Code units that one column can need at the worst: a base character and its marks, an emoji with its joiners. */
export const UNITS_PER_COLUMN = 16;
const clusters = new Intl.Segmenter();

/** The line if it fits into so many columns, else its beginning and `…`. The cost follows the columns, not the line. */
export function fitLine(line: string, columns: number): string {
  if (columns <= 0) return "";
  const start = line.slice(0, columns * UNITS_PER_COLUMN);
  const kept = PLAIN_ASCII.test(start) ? start.slice(0, columns) : keepClusters(start, columns);
  if (kept.length === line.length) return line;
  const room = columns - 1;
  return `${PLAIN_ASCII.test(kept) ? kept.slice(0, room) : keepClusters(kept, room)}${ELLIPSIS}`;
}

/** As many whole clusters as fit: a wide one that would stand half outside is left out. */
function keepClusters(text: string, columns: number): string {
  let width = 0;
  for (const { segment, index } of clusters.segment(text)) {
    width += PLAIN_ASCII.test(segment) ? segment.length : stringWidth(segment);
    if (width > columns) return text.slice(0, index);
  }
  return text;
}
