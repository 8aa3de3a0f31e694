import { Backlog } from "./backlog.js";
import type { Pipe } from "./capture.js";
import { createKeptText } from "./kept-text.js";
import type { KeptText } from "./kept-text.js";
import type { Caps } from "./limits.js";
import { LineMerger } from "./line-merger.js";
import { TextStream } from "./text-stream.js";
import { MAX_PROGRESS_BYTES } from "./view.js";

/** From bytes of both pipes, in the order of their arrival, to the text that is kept. */
export class CapturedText {
  readonly kept: KeptText;
  readonly #merger: LineMerger;
  #streams: [TextStream, TextStream] = [new TextStream(), new TextStream()];
  readonly #backlog: Backlog;
  readonly #keepsEndOnly: boolean;

  constructor(caps: Caps) {
    this.kept = createKeptText(caps);
    this.#merger = new LineMerger(this.kept);
    // The open line is not in the window as long as it is progress; a character has up to four bytes.
    this.#backlog = new Backlog(caps.maxBytes + MAX_PROGRESS_BYTES + 4);
    this.#keepsEndOnly = caps.retain === "tail";
  }

  /** What came since is in it only after {@link catchUp}. */
  get progress(): string | undefined {
    return this.#merger.progress;
  }

  add(pipe: Pipe, bytes: Uint8Array): void {
    if (!this.#backlog.fits(pipe, bytes)) this.#makeRoom(pipe, bytes);
    this.#backlog.add(pipe, bytes);
  }

  /** Decodes what has come. */
  catchUp(): void {
    if (this.#backlog.length === 0) return;
    this.#merger.add(this.#streams[this.#backlog.pipe].add(this.#backlog.take()));
  }

  end(pipe: Pipe): void {
    this.catchUp();
    this.#merger.add(this.#streams[pipe].finish());
  }

  finish(): void {
    this.catchUp();
    this.#merger.finish();
  }

  #makeRoom(pipe: Pipe, bytes: Uint8Array): void {
    const from = this.#backlog.pipe;
    if (pipe === from && this.#keepsEndOnly && this.#streams[from].isBetween && this.#backlog.forgetFront()) {
      // What stood before the forgotten part is dropped by the window as soon as the rest is decoded.
      this.#streams[from].finish();
    }
    if (!this.#backlog.fits(pipe, bytes)) this.catchUp();
  }
}
