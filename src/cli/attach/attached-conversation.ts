import type { ChatRow, ChatState } from "../../facet/index.js";
import type { SessionId, ToolCallId } from "../../protocol/index.js";
import type { Change } from "../../wire/client/index.js";
import type { CallDecision } from "../../wire/index.js";
import { describeUnclear, readDecision } from "../ask/decision.js";
import { isPersonThere } from "../ask/open-conversation.js";
import { PieceReader } from "../ask/pieces.js";
import { PlainView } from "../ask/plain-view.js";
import { Questions } from "../ask/questions.js";
import { ScreenView } from "../ask/screen-view.js";
import { openKeyLines, openWholeLines } from "../ask/typed-lines.js";
import type { TypedLines } from "../ask/typed-lines.js";
import type { ConversationView } from "../ask/view.js";
import type { CliContext } from "../context.js";
import { describeFailure } from "../failure.js";
import { endLine } from "../output/end-line.js";
import { coloursFor } from "../terminal/colours.js";
import { printableText } from "../terminal/printable.js";
import { openTextOutput } from "../terminal/text-output.js";
import type { TextOutput } from "../terminal/text-output.js";
import type { AttachedDisplay } from "./attached-display.js";

export interface AttachedConversationOptions {
  readonly session: SessionId;
  /** The last answer alone. */
  readonly isQuiet: boolean;
  /** Where what is typed goes; absent where nobody could hear it. */
  readonly speaker: Speaker | undefined;
}

/** Says something to a lane that another process has. */
export interface Speaker {
  approve(call: ToolCallId, decision: CallDecision): Promise<void>;
  say(text: string, as: "steer" | "prompt"): Promise<unknown>;
}

const HINTS = { idle: "ask something; Ctrl-C leaves", busy: "type to steer; Ctrl-C leaves" };

/** A session in which a model works, shown as `ask` shows it. What is typed there steers, decides and asks here. */
export class AttachedConversation implements AttachedDisplay {
  readonly #options: AttachedConversationOptions;
  readonly #context: CliContext;
  readonly #output: TextOutput;
  readonly #errors: TextOutput;
  readonly #isDrawn: boolean;
  readonly #typed: TypedLines | undefined;
  readonly #questions = new Questions();
  #view: ConversationView | undefined;
  #state: ChatState | undefined;
  #isLost = false;
  #leave: () => void = () => undefined;

  constructor(options: AttachedConversationOptions, context: CliContext) {
    this.#options = options;
    this.#context = context;
    this.#output = openTextOutput(context.stdout);
    this.#errors = openTextOutput(context.stderr);
    this.#isDrawn = this.#output.isTerminal && context.environment["TERM"] !== "dumb";
    const shows = options.isQuiet ? "result" : "everything";
    if (options.speaker !== undefined && isPersonThere(shows, context)) {
      this.#typed = this.#isDrawn ? openKeyLines(context) : openWholeLines(context);
      this.#typed.listen({
        line: (text) => void this.#take(text),
        end: () => this.#leave(),
        change: () => this.#view?.draw?.(),
      });
    }
  }

  onLeave(listener: () => void): void {
    this.#leave = listener;
  }

  show({ value }: Pick<Change<ChatState>, "value">): void {
    const before = this.#state?.operation;
    this.#state = value;
    if (this.#options.isQuiet) return;
    this.#view ??= this.#openView(value);
    this.#view.show(value, "");
    const { operation } = value;
    const hasEnded = before?.id === operation?.id && before?.state === "running" && operation?.state !== "running";
    if (hasEnded && operation !== null && operation.state !== "completed") {
      this.#say(`the answer is ${operation.state}${operation.reason === undefined ? "" : `: ${operation.reason}`}`);
    }
  }

  lose(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#say(`the connection was lost (${why}); trying again`);
  }

  restore(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#say("connected again");
  }

  interject(text: string): void {
    this.#say(text);
  }

  async finish(value: ChatState): Promise<void> {
    // Nothing more comes of what is open: it is told as far as it goes.
    const rows = value.rows.map((row, index) => (row.position === undefined ? { ...row, position: -1 - index } : row));
    this.show({ value: { ...value, rows } });
    if (this.#options.isQuiet) this.#writeAnswer(value);
    await this.#view?.close();
    this.abandon();
    await this.#output.idle();
  }

  async leave(text: string): Promise<void> {
    this.abandon();
    await this.remark(text);
  }

  suspend(): void {
    this.#view?.suspend();
    this.#typed?.suspend();
  }

  resume(): void {
    this.#typed?.resume();
    this.#view?.resume();
  }

  abandon(): void {
    this.#view?.abandon();
    this.#typed?.close();
  }

  async remark(text: string): Promise<void> {
    if (!this.#options.isQuiet) this.#errors.write(`spillway: ${text}\n`);
    await this.#errors.idle();
  }

  /** What came before the operation that runs, or ran last, is left to `spillway show`. */
  #openView(state: ChatState): ConversationView {
    const { clock, environment } = this.#context;
    const [output, errors] = [this.#output, this.#errors];
    const shown = state.operation?.id ?? state.rows.at(-1)?.operationId;
    const reader = new PieceReader(state, ({ operationId }) => operationId !== shown);
    if (this.#isDrawn) {
      const colours = coloursFor(output, environment);
      const editor = this.#typed?.editor;
      return new ScreenView({ output, reader, clock, colours, editor, isOngoing: true, hints: HINTS });
    }
    const colours = coloursFor(errors, environment);
    const byCommand = ({ toolCallId }: { readonly toolCallId: string }): string =>
      `  spillway approve ${this.#options.session} ${toolCallId} [--deny]`;
    const answers = this.#typed === undefined ? { describeAnswers: byCommand } : {};
    return new PlainView({ output, errors, reader, colours, showsPrompt: true, ...answers });
  }

  /** A decision where a call waits, a word to the model where it works, a prompt where it does not. */
  async #take(text: string): Promise<void> {
    const { speaker } = this.#options;
    const [asked] = this.#questions.open(this.#state);
    const decision = asked === undefined ? undefined : readDecision(text);
    try {
      if (asked === undefined) {
        await speaker?.say(text, this.#state?.operation?.state === "running" ? "steer" : "prompt");
      } else if (decision === undefined) {
        this.#say(describeUnclear(asked.toolName));
        this.#typed?.editor?.restore(text);
      } else {
        this.#questions.decide(asked.toolCallId);
        await speaker?.approve(asked.toolCallId, decision);
      }
    } catch (error) {
      if (asked !== undefined) this.#questions.reopen(asked.toolCallId);
      this.#say(describeFailure(error).message);
      this.#typed?.editor?.restore(text);
    }
  }

  #say(text: string): void {
    if (this.#options.isQuiet) return;
    if (this.#view === undefined) this.#errors.write(`spillway: ${text}\n`);
    else this.#view.remark(text);
  }

  #writeAnswer({ rows, operation }: ChatState): void {
    const last = operation?.id ?? rows.at(-1)?.operationId;
    const text = rows.findLast((row) => row.operationId === last && textOf(row) !== "");
    const answer = text === undefined ? "" : textOf(text);
    this.#output.write(endLine(this.#output.isTerminal ? printableText(answer) : answer));
  }
}

function textOf(row: ChatRow): string {
  if (row.type !== "assistant") return "";
  return (row.message?.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
}
