import { Backlog } from "./backlog.js";
import { isPlainText } from "./byte-scan.js";
import type { Pipe } from "./capture.js";
import type { Run } from "./run-queue.js";
import { isUtf8Encoding } from "./encoding.js";
import type { Encoding } from "./encoding.js";
import { BoundedText } from "./kept-text.js";
import type { KeptText } from "./kept-text.js";
import type { Caps } from "./limits.js";
import { LineMerger } from "./line-merger.js";
import { MaskedText } from "./masked-text.js";
import { countNewlines } from "./newline-count.js";
import { TextStream } from "./text-stream.js";

/** So many bytes are looked at together. */
const PIECE_BYTES = 65_536;
/** So many bytes become text together: more would only make larger strings on the way. */
const DECODED_BYTES = 16_384;

/** From bytes of both pipes, in the order of their arrival, to the text that is kept. */
export class CapturedText {
  readonly #kept: BoundedText;
  /** Absent where there are no secrets. */
  readonly #masked: MaskedText | undefined;
  readonly #merger: LineMerger;
  readonly #streams: readonly [TextStream, TextStream];
  readonly #backlog: Backlog;

  constructor(caps: Caps, secrets: readonly string[], encoding: Encoding) {
    const kept = new BoundedText(caps);
    this.#kept = kept;
    this.#masked = secrets.length === 0 ? undefined : new MaskedText(kept, secrets);
    this.#merger = new LineMerger(this.#masked ?? kept);
    this.#streams = [new TextStream(encoding), new TextStream(encoding)];
    // Only of UTF-8 it is known that text has no fewer bytes than what it is made of.
    const isUtf8 = isUtf8Encoding(encoding);
    this.#backlog = new Backlog(caps.maxBytes, (lines, bytes) => isUtf8 && kept.isFilledBy(lines, bytes));
  }

  /** What came since is in it only after {@link catchUp}. */
  get kept(): KeptText {
    return this.#kept;
  }

  /** As {@link kept}. */
  get progress(): string | undefined {
    const { progress } = this.#merger;
    if (progress === undefined || this.#masked === undefined) return progress;
    return this.#masked.maskProgress(progress);
  }

  /** Whether bytes that are no text of the encoding have become U+FFFD. */
  get hasReplaced(): boolean {
    return this.#streams.some((stream) => stream.hasReplaced);
  }

  /** `newlines` is how many of the bytes are newlines, where that is known. */
  add(pipe: Pipe, bytes: Uint8Array, newlines?: number): void {
    if (bytes.length > PIECE_BYTES) {
      for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
        this.add(pipe, bytes.subarray(from, from + PIECE_BYTES));
      }
      return;
    }
    if (!this.#backlog.hasRoom(bytes.length)) this.#skipUnseen();
    if (!this.#backlog.hasRoom(bytes.length)) this.#skipWithinLine();
    if (!this.#backlog.hasRoom(bytes.length)) this.catchUp();
    this.#backlog.add(pipe, bytes, newlines ?? countNewlines(bytes));
  }

  /** Decodes what has come. */
  catchUp(): void {
    this.#skipUnseen();
    this.#skipWithinLine();
    for (const run of this.#backlog.take()) this.#decode(run);
  }

  end(pipe: Pipe): void {
    this.catchUp();
    this.#merger.add(this.#streams[pipe].finish());
  }

  /** Both pipes have ended. */
  finish(): void {
    this.#merger.finish();
    this.#masked?.finish();
  }

  #decode({ pipe, bytes }: Run): void {
    for (let from = 0; from < bytes.length; from += DECODED_BYTES) {
      const piece = bytes.subarray(from, from + DECODED_BYTES);
      this.#merger.add(this.#streams[pipe].add(piece, isPlainText(piece)));
    }
  }

  /** What is in the midst of a line that is longer than the window is counted and not decoded. */
  #skipWithinLine(): void {
    const pipe = this.#backlog.midLinePipe;
    if (pipe === undefined || this.#masked !== undefined) return;
    if (!this.#merger.isWithinLongLine || !this.#kept.isFilledByOpenLine) return;
    const stream = this.#streams[pipe];
    if (!stream.isAtRest) this.#backlog.takeContinuation().forEach((run) => this.#decode(run));
    if (!stream.isAtRest || !this.#merger.isWithinLongLine) return;
    const skipped = this.#backlog.dropMidLine();
    if (skipped > 0) this.#kept.skipWithinLine(skipped);
  }

  #skipUnseen(): void {
    const unseen = this.#backlog.takeUnseen();
    if (unseen.length === 0) return;
    for (const { pipe, bytes } of unseen) this.#streams[pipe].skip(bytes);
    this.#merger.skipLine();
    this.#masked?.skipLines();
    this.#kept.skipLines();
  }
}
