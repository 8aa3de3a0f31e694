import { count } from "../files/counts.js";
import type { ReadWindow } from "./read-window.js";

export interface ShownRead {
  readonly name: string;
  readonly offset: number;
  readonly window: ReadWindow;
  /** Whether every line of the file was counted. */
  readonly isCounted: boolean;
  /** Whether the file was another one by the end. */
  readonly isChanged: boolean;
}

/** One bracketed line that says what is not plain to see; absent where the text is the whole file as it is. */
export function describeRead(read: ShownRead): string | undefined {
  const sentences = [...describeRange(read), ...describeContent(read)];
  return sentences.length === 0 ? undefined : `[${sentences.join(" ")}]`;
}

function describeRange({ name, offset, window, isCounted }: ShownRead): string[] {
  const { lines, totalLines, partialLine } = window;
  if (totalLines === 0) return [`${name} is empty.`];
  const last = offset + lines - 1;
  const of = isCounted ? `${totalLines}` : `more than ${totalLines}`;
  const next = last < totalLines || !isCounted ? [`Go on with offset ${last + 1}.`] : [];
  if (partialLine !== undefined) {
    const { number, bytes, shownBytes } = partialLine;
    return [
      `The start of line ${number} of ${of} shown, ${shownBytes} of its ${bytes} bytes; a command such as cut -c shows other parts.`,
      ...next,
    ];
  }
  if (offset === 1 && next.length === 0) return [];
  return [`${lines === 1 ? `Line ${last}` : `Lines ${offset}-${last}`} of ${of} shown.`, ...next];
}

function describeContent({ window, isChanged }: ShownRead): string[] {
  const { ends } = window;
  const said: string[] = [];
  if (ends.crlf > 0) {
    said.push(ends.lf === 0 ? "Lines end with CRLF." : `${count(ends.crlf, "line")} of these end with CRLF.`);
  }
  if (window.hasByteOrderMark) said.push("The file begins with a byte order mark.");
  if (window.hasInvalidBytes) said.push("Bytes that are no UTF-8 are shown as U+FFFD.");
  if (window.hasControls) said.push("Control characters are shown as their pictures.");
  if (isChanged) said.push("The file changed while it was read.");
  return said;
}
