import type { ChatState } from "../../facet/index.js";
import { printableText } from "../terminal/printable.js";
import { LiveRegion } from "../terminal/region.js";
import { drawCall, drawQuestion } from "./call-text.js";
import { describeAnswerEnd } from "./end-words.js";
import type { Piece } from "./pieces.js";
import { ScreenFrame } from "./screen-frame.js";
import type { ScreenFrameOptions } from "./screen-frame.js";
import type { AnswerEnd, ConversationView } from "./view.js";

const FRAME_MS = 100;

/** What is settled goes by as text; what is under way, and the line that is typed, is redrawn in place below it. */
export class ScreenView implements ConversationView {
  readonly #options: ScreenFrameOptions;
  readonly #region: LiveRegion;
  readonly #frame: ScreenFrame;
  readonly #stopResize: () => void;
  #timer: { cancel(): void } | undefined;
  #state: ChatState | undefined;
  #last: Piece["kind"] | undefined;
  /** What a frame writes, in one piece. */
  #waiting = "";
  #isOpen = true;
  #isSuspended = false;

  constructor(options: ScreenFrameOptions) {
    this.#options = options;
    const { output } = options;
    const terminal = {
      get columns() {
        return output.columns;
      },
      get rows() {
        return output.rows;
      },
      write: (text: string): void => void (this.#waiting += text),
    };
    this.#region = new LiveRegion(terminal);
    this.#frame = new ScreenFrame(options);
    this.#stopResize = output.onResize(() => this.draw());
    this.draw();
    this.#tick();
  }

  show(state: ChatState): void {
    this.#state = state;
  }

  remark(text: string): void {
    this.#above(`${this.#options.colours.yellow(printableText(text))}\n`);
  }

  async settle(end: AnswerEnd): Promise<void> {
    const { colours, output } = this.#options;
    this.#above(this.#readPieces());
    const reason = end.reason === undefined || end.status === "completed" ? "" : `${printableText(end.reason)}\n`;
    this.#above(`\n${colours.red(reason)}${colours.dim(`· ${describeAnswerEnd(end)}`)}\n`);
    this.#last = undefined;
    await output.idle();
  }

  async close(): Promise<void> {
    if (this.#isOpen) this.#above(this.#readPieces());
    this.abandon();
    await this.#options.output.idle();
  }

  suspend(): void {
    if (!this.#isOpen) return;
    this.#isSuspended = true;
    this.#region.release();
    this.#flush();
  }

  resume(): void {
    this.#isSuspended = false;
    this.draw();
  }

  abandon(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#timer?.cancel();
    this.#stopResize();
    this.#region.clear();
    this.#flush();
  }

  /** A terminal that is behind gets the next frame instead of this one. */
  draw(): void {
    if (!this.#isOpen || this.#isSuspended || !this.#options.output.isIdle) return;
    this.#above(this.#readPieces());
  }

  #tick(): void {
    this.#timer = this.#options.clock.after(FRAME_MS, () => {
      this.draw();
      this.#tick();
    });
  }

  /** Writes text above the region, and draws that anew. */
  #above(text: string): void {
    if (text !== "") this.#region.clear();
    this.#waiting += text;
    if (this.#isOpen && !this.#isSuspended) this.#region.draw(this.#frame.compose(this.#state));
    this.#flush();
  }

  #flush(): void {
    const text = this.#waiting;
    this.#waiting = "";
    if (text !== "") this.#options.output.write(text);
  }

  #readPieces(): string {
    if (this.#state === undefined) return "";
    return this.#options.reader
      .next(this.#state)
      .map((piece) => this.#drawPiece(piece))
      .join("");
  }

  #drawPiece(piece: Piece): string {
    const { colours, isOngoing, output } = this.#options;
    // What the shell's own line says is not said again.
    if (piece.kind === "said" && piece.isOpening && !isOngoing) return "";
    const space = this.#last !== undefined && this.#last !== piece.kind ? "\n" : "";
    this.#last = piece.kind;
    const style = { columns: output.columns, colours };
    switch (piece.kind) {
      case "answer":
        return `${space}${printableText(piece.text)}`;
      case "thought":
        return `${space}${paintLines(printableText(piece.text), colours.dim)}`;
      case "said":
        return `${space}${paintLines(`› ${printableText(piece.text)}`, colours.bold)}`;
      case "call":
        return `${space}${drawCall(piece.row, style)}`;
      case "question":
        return `${space}${drawQuestion(piece.row, style)}`;
      default:
        return `${space}${colours.dim(piece.text)}`;
    }
  }
}

/** Colours that end with each line: a terminal that scrolls would carry them on. */
function paintLines(text: string, paint: (line: string) => string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : paint(line)))
    .join("\n");
}
