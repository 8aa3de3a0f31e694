import type { ChatState, ChatToolRow } from "../../facet/index.js";
import { holdsNothing } from "../output/display.js";
import { endLine } from "../output/end-line.js";
import type { Colours } from "../terminal/colours.js";
import { printableText } from "../terminal/printable.js";
import type { TextOutput } from "../terminal/text-output.js";
import { drawCall, drawQuestion } from "./call-text.js";
import { ANSWERS } from "./decision.js";
import { describeAnswerEnd } from "./end-words.js";
import type { Piece, PieceReader } from "./pieces.js";
import type { AnswerEnd, ConversationView } from "./view.js";

export interface PlainViewOptions {
  /** Takes the answers and nothing else, so that a program can go on with them. */
  readonly output: TextOutput;
  /** Takes what was called, and how it ended. */
  readonly errors: TextOutput;
  readonly reader: PieceReader;
  readonly colours: Colours;
  /** Whether the prompt is shown as well, for those who did not give it. */
  readonly showsPrompt?: boolean;
  /** How a call that waits is decided about. Default by a typed line. */
  readonly describeAnswers?: (row: ChatToolRow) => string;
}

/** Text as it comes: whole lines, each once. */
export class PlainView implements ConversationView {
  readonly suspend = holdsNothing.suspend;
  readonly resume = holdsNothing.resume;
  readonly abandon = holdsNothing.abandon;
  readonly #options: PlainViewOptions;
  #state: ChatState | undefined;
  #isWaiting = false;
  #hasAnswered = false;
  #last: Piece["kind"] | undefined;
  /** When the model is asked again, by the last word about it. */
  #retryAt: number | undefined;

  constructor(options: PlainViewOptions) {
    this.#options = options;
  }

  // A slow reader gets what is new when it is ready again, so that little ever waits for it.
  show(state: ChatState): void {
    this.#state = state;
    this.#tellRetry(state);
    if (this.#isWaiting) return;
    const { output } = this.#options;
    if (output.hasRoom) return this.#write();
    this.#isWaiting = true;
    void output.idle().then(() => {
      this.#isWaiting = false;
      this.#write();
    });
  }

  remark(text: string): void {
    this.#options.errors.write(`spillway: ${printableText(text)}\n`);
  }

  async settle(end: AnswerEnd): Promise<void> {
    this.#write();
    if (end.reason !== undefined && end.status !== "completed") this.remark(end.reason);
    const { errors, colours } = this.#options;
    errors.write(`${colours.dim(`· ${describeAnswerEnd(end)}`)}\n`);
    await this.close();
  }

  async close(): Promise<void> {
    const { output, errors } = this.#options;
    await output.idle();
    await errors.idle();
  }

  /** Each wait once: nothing else happens meanwhile. */
  #tellRetry({ operation }: ChatState): void {
    const retry = operation?.retry;
    if (retry === undefined || retry.at === this.#retryAt) return;
    this.#retryAt = retry.at;
    this.remark(`the model is asked again (${retry.failures} of ${retry.maxAttempts} failed): ${retry.reason}`);
  }

  #write(): void {
    if (this.#state === undefined) return;
    for (const piece of this.#options.reader.next(this.#state)) {
      this.#writePiece(piece);
      this.#last = piece.kind;
    }
  }

  #writePiece(piece: Piece): void {
    const { output, errors, colours, showsPrompt = false, describeAnswers = () => ANSWERS } = this.#options;
    const style = { columns: errors.columns, colours };
    if (piece.kind === "answer") {
      const isApart = this.#hasAnswered && this.#last !== "answer";
      output.write(`${isApart ? "\n" : ""}${output.isTerminal ? printableText(piece.text) : piece.text}`);
      this.#hasAnswered = true;
    } else if (piece.kind === "call") errors.write(drawCall(piece.row, style));
    else if (piece.kind === "question")
      errors.write(`${drawQuestion(piece.row, style)}${endLine(describeAnswers(piece.row))}`);
    else if (piece.kind === "remark") errors.write(piece.text);
    else if (piece.kind === "said" && (showsPrompt || !piece.isOpening)) errors.write(`> ${printableText(piece.text)}`);
  }
}
