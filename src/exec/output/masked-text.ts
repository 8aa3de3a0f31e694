import { LineMerger } from "./line-merger.js";
import type { TextSink } from "./line-merger.js";
import { SECRET_MARK, SecretMask } from "./secret-mask.js";
import { startWithin } from "./text-cut.js";
import { TextStream } from "./text-stream.js";
import { MAX_PROGRESS_BYTES } from "./view.js";

/**
 * Masks the secrets that only the text has: its bytes had a control character or a sequence among them, or were no UTF-8, so
 * that nothing was found in them. An end that could be the beginning of a secret is held back until more is known.
 */
export class MaskedText implements TextSink {
  readonly #sink: TextSink;
  readonly #secrets: readonly string[];
  readonly #mask: SecretMask;
  /** Whether the last line that ended could be the beginning of a secret of several lines. */
  #isBegun = false;

  constructor(sink: TextSink, secrets: readonly string[]) {
    this.#sink = sink;
    this.#secrets = textsOf(secrets);
    this.#mask = new SecretMask(this.#secrets);
  }

  append(text: string): void {
    this.#sink.append(this.#filter(text));
    if (text.endsWith("\n")) this.#isBegun = this.#mask.held.length > 0;
  }

  dropOpenLine(): void {
    const lineStart = this.#mask.held.lastIndexOf(0x0a) + 1;
    this.#mask.dropHeld(lineStart);
    // Where the end of the line before is held as well, the sink has nothing of this one.
    if (lineStart > 0) return;
    this.#sink.dropOpenLine();
    // The line that was dropped had told that its predecessor begins no secret, and its successor may tell the contrary.
    if (this.#isBegun) this.#sink.append(SECRET_MARK);
  }

  /** Text is left out here, up to the end of a line. */
  skipLines(): void {
    this.#mask.dropHeld(0);
    this.#isBegun = false;
  }

  /** The text has ended. */
  finish(): void {
    this.#sink.append(textOf(this.#mask.finish()));
  }

  /** The open line, which has not been appended, as it may be shown: not at all while what precedes it is held back. */
  maskProgress(line: string): string | undefined {
    if (this.#mask.held.length > 0) return undefined;
    if (!this.#mayHold(line)) return line;
    // Its end is held back as that of the text is: almost all of a secret is as good as the whole.
    const shown = textOf(new SecretMask(this.#secrets).filter(Buffer.from(line)));
    // A mark is longer than the shortest secrets.
    return shown === "" ? undefined : startWithin(shown, MAX_PROGRESS_BYTES);
  }

  #filter(text: string): string {
    // Most text has nothing to mask, and looking for that in a string needs no copy.
    if (this.#mask.held.length === 0 && !this.#mayHold(text)) return text;
    return textOf(this.#mask.filter(Buffer.from(text)));
  }

  #mayHold(text: string): boolean {
    return this.#secrets.some((secret) => mayHold(text, secret));
  }
}

/** Shorter texts hide nothing when they are what is left of a secret that was printed. */
const MIN_TEXT_LENGTH = 8;

/** What becomes of secrets when they are printed: a text has none of the control characters that they may have. */
function textsOf(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) => {
    const text = print(secret);
    return text !== "" && (text === secret || text.length >= MIN_TEXT_LENGTH) ? [text] : [];
  });
}

function print(secret: string): string {
  let text = "";
  const stream = new TextStream();
  const merger = new LineMerger({
    append(more) {
      text += more;
    },
    dropOpenLine() {
      text = text.slice(0, text.lastIndexOf("\n") + 1);
    },
  });
  merger.add(stream.add(Buffer.from(secret)) + stream.finish());
  merger.finish();
  return text;
}

/** Whether a text has a secret in it, or ends with the beginning of one. */
function mayHold(text: string, secret: string): boolean {
  if (text.includes(secret)) return true;
  const first = secret.charCodeAt(0);
  for (let at = Math.max(0, text.length - secret.length + 1); at < text.length; at += 1) {
    if (text.charCodeAt(at) === first && secret.startsWith(text.slice(at))) return true;
  }
  return false;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}
