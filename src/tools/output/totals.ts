import type { ShellOutputTruncation } from "../../exec/index.js";
import type { OutputTruncation } from "../../protocol/index.js";
import type { OutputLimits } from "../contract.js";
import { EMPTY_SIZE, joinSizes, linesOf, measureText } from "./text-size.js";
import type { TextSize } from "./text-size.js";
import type { WindowCut } from "./window.js";

/** What an env said last of one capture. */
interface CaptureTotals {
  readonly truncation: ShellOutputTruncation;
  /** Whether its first line goes on where the text before it ended. */
  readonly joinsLine: boolean;
}

/**
 * The exact totals of all that was ever written since the text was last stated anew: what the tool wrote by itself, as
 * counted here, and what envs say of their captures.
 */
export class OutputTotals {
  readonly #limits: OutputLimits;
  #own: TextSize = EMPTY_SIZE;
  /** Whether the tool itself dropped text, or an earlier sink did. */
  #dropped: Pick<OutputTruncation, "truncatedBy" | "partialLineBytes"> | undefined;
  readonly #captures = new Map<number, CaptureTotals>();

  constructor(limits: OutputLimits) {
    this.#limits = limits;
  }

  add(text: string): void {
    this.#own = joinSizes(this.#own, measureText(text));
  }

  /** Says that the tool dropped text of its own. */
  drop(): void {
    this.#dropped ??= { truncatedBy: null };
  }

  /** The text is stated anew: what was written before is not of it, but what the named captures go on to say is. */
  restate(text: string, captures: ReadonlySet<number>): void {
    this.#own = captures.size === 0 ? measureText(text) : EMPTY_SIZE;
    this.#dropped = undefined;
    for (const [capture, { truncation }] of this.#captures) {
      if (captures.has(capture)) this.#captures.set(capture, { truncation, joinsLine: false });
      else this.#captures.delete(capture);
    }
  }

  /** `isOpen` tells, for the first statement of a capture, whether the text before it ends within a line. */
  state(capture: number, truncation: ShellOutputTruncation, isOpen: () => boolean): void {
    const joinsLine = this.#captures.get(capture)?.joinsLine ?? isOpen();
    this.#captures.set(capture, { truncation, joinsLine });
  }

  /** Goes on from what an earlier sink knew of `text`. While nothing was cut, it may have stored no totals. */
  resume(truncation: OutputTruncation, text: TextSize): void {
    const bytes = Math.max(truncation.totalBytes, text.bytes);
    const lines = Math.max(truncation.totalLines, linesOf(text));
    this.#own = { bytes, newlines: lines - (text.open ? 1 : 0), open: text.open };
    if (truncation.truncated) this.#dropped = truncation;
  }

  compute(window: WindowCut): OutputTruncation {
    const captures = [...this.#captures.values()];
    const said = captures.map(({ truncation }) => truncation);
    const cut = said.findLast(({ truncated }) => truncated) ?? this.#dropped;
    const partial = window.partialLineBytes ?? said.at(-1)?.partialLineBytes ?? this.#dropped?.partialLineBytes;
    return {
      truncated: window.by !== null || cut !== undefined,
      truncatedBy: window.by ?? cut?.truncatedBy ?? null,
      totalLines: captures.reduce(countLines, linesOf(this.#own)),
      totalBytes: said.reduce((bytes, { totalBytes }) => bytes + totalBytes, this.#own.bytes),
      maxLines: said.at(-1)?.maxLines ?? this.#limits.maxLines,
      maxBytes: said.at(-1)?.maxBytes ?? this.#limits.maxBytes,
      ...(partial === undefined ? {} : { partialLineBytes: partial }),
    };
  }
}

function countLines(lines: number, { truncation, joinsLine }: CaptureTotals): number {
  return lines + truncation.totalLines - (joinsLine && truncation.totalLines > 0 ? 1 : 0);
}

/** Writes what differs, field by field, so that an op costs one number. */
export function assignTruncation(target: OutputTruncation, value: OutputTruncation): void {
  target.truncated = value.truncated;
  target.truncatedBy = value.truncatedBy;
  target.totalLines = value.totalLines;
  target.totalBytes = value.totalBytes;
  target.maxLines = value.maxLines;
  target.maxBytes = value.maxBytes;
  if (value.partialLineBytes === undefined) delete target.partialLineBytes;
  else target.partialLineBytes = value.partialLineBytes;
}
