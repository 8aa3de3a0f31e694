import { startWithin } from "./start-within.js";
import { makeWellFormed } from "./well-formed.js";

/** Most UTF-8 bytes of a notice. */
export const MAX_NOTICE_BYTES = 4_096;

const CUT_MARK = "…";

/** What the sink itself has to say. */
export interface NoticeParts {
  /** What is shown of the output, and where the rest is. */
  readonly line?: string | undefined;
  readonly error?: string | undefined;
}

/** Collects what is said about an output and composes it once, at the end. */
export class OutputNotice {
  #remarks = "";
  #said = "";

  /** Adds a sentence about the call itself. */
  remark(sentence: string): void {
    this.#remarks = keep(`${this.#remarks}${sentence}\n`);
  }

  /** Adds what the tool says. */
  say(text: string): void {
    this.#said = keep(this.#said + text);
  }

  /**
   * The line, the remarks, what the tool said, the error, each on lines of its own; `undefined` if there is nothing to
   * say. Where they exceed the limit together, the longest are cut, first what the tool said.
   */
  compose({ line = "", error = "" }: NoticeParts): string | undefined {
    const parts = [line, error, this.#remarks, this.#said].map((part) => makeWellFormed(part).trim());
    const [lineText, errorText, remarks, said] = allot(parts, MAX_NOTICE_BYTES - parts.length);
    const text = [lineText, remarks, said, errorText].filter((part) => part !== undefined && part !== "").join("\n");
    return text === "" ? undefined : text;
  }
}

/** Keeps of each part, the most important first, an equal share of the room or what the others leave of it. */
function allot(parts: readonly string[], room: number): string[] {
  let left = room;
  return parts.map((part, index) => {
    const needed = parts.slice(index + 1).reduce((bytes, later) => bytes + Buffer.byteLength(later), 0);
    const share = Math.floor(left / (parts.length - index));
    const kept = cutText(part, Math.max(share, left - needed));
    left -= Buffer.byteLength(kept);
    return kept;
  });
}

function cutText(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const room = maxBytes - Buffer.byteLength(CUT_MARK);
  return room < 0 ? "" : startWithin(text, room) + CUT_MARK;
}

/** What is beyond the limit of all could not be shown anyway. One byte more is kept, so that a cut is told. */
function keep(text: string): string {
  return startWithin(makeWellFormed(text.slice(0, MAX_NOTICE_BYTES + 4)), MAX_NOTICE_BYTES + 4);
}
