import type { ChatState, ChatToolRow } from "../../facet/index.js";
import type { Clock } from "../../exec/index.js";
import type { SessionId, ToolCallId } from "../../protocol/index.js";
import type { CallDecision } from "../../wire/index.js";
import { describeWaiting } from "../approve/waiting-call.js";
import { describeFailure } from "../failure.js";
import type { TerminalBorrower } from "../signals/lent-terminal.js";

/** Asks a person about the calls that wait, one after the other. */
export interface ApprovalPrompt extends TerminalBorrower {
  /** To be called with each state that is shown. */
  follow(state: ChatState): void;
}

export interface ApprovalPromptOptions {
  readonly session: SessionId;
  /** Puts a text between what is shown. */
  readonly say: (text: string) => void;
  readonly decide: (call: ToolCallId, decision: CallDecision) => Promise<void>;
  /** Reads keys until the function that it gives is called; undefined where nobody can press one. */
  readonly listen: ((onKey: (key: string) => void) => () => void) | undefined;
  readonly clock: Clock;
}

/** A key that was on its way before the question could be read is no answer to it. */
const READING_MS = 300;

const ANSWERS = new Map<string, CallDecision>([
  ["y", { decision: "allow" }],
  ["n", { decision: "deny" }],
  ["a", { decision: "allow", always: true }],
]);

export function createApprovalPrompt(options: ApprovalPromptOptions): ApprovalPrompt {
  return new KeyPrompt(options);
}

interface Question {
  readonly call: ToolCallId;
  readonly tool: string;
  readonly askedAt: number;
  /** Set once a key answered it. */
  isAnswered: boolean;
}

class KeyPrompt implements ApprovalPrompt {
  readonly #options: ApprovalPromptOptions;
  #question: Question | undefined;
  #stopListening: (() => void) | undefined;
  #isOver = false;

  constructor(options: ApprovalPromptOptions) {
    this.#options = options;
  }

  follow(state: ChatState): void {
    if (this.#isOver) return;
    const question = this.#question;
    const calls = state.rows.filter((row): row is ChatToolRow => row.type === "tool");
    if (question !== undefined) {
      const row = calls.find(({ toolCallId }) => toolCallId === question.call);
      if (row?.state === "waiting") return;
      this.#end(question, row);
    }
    const next = calls.find((row) => row.state === "waiting");
    if (next !== undefined) this.#ask(next);
  }

  suspend(): void {
    this.#giveBack();
  }

  resume(): void {
    this.#listen();
  }

  abandon(): void {
    this.#isOver = true;
    this.#giveBack();
  }

  #ask(row: ChatToolRow): void {
    const { say, clock, listen, session } = this.#options;
    const { toolCallId: call, toolName: tool, argsCut, args, changedArgs, pendingApproval } = row;
    const text = describeWaiting({
      call,
      tool,
      args: changedArgs ?? args,
      ...(changedArgs !== undefined && { statedArgs: args }),
      argsCut,
      at: 0,
      ...pendingApproval,
    });
    const more = argsCut === true ? `  all of it: spillway approve ${session}\n` : "";
    const keys = `  y allow · n deny · a allow ${tool} from now on`;
    const command = `  spillway approve ${session} ${call} [--deny]`;
    say(`${text}${more}${listen === undefined ? command : keys}`);
    this.#question = { call, tool, askedAt: clock.monotonic(), isAnswered: false };
    this.#listen();
  }

  #end({ isAnswered, tool, call }: Question, row: ChatToolRow | undefined): void {
    this.#giveBack();
    this.#question = undefined;
    const decision = row?.approval?.decision;
    const outcome = decision === undefined ? "waits no more" : decision === "allow" ? "is allowed" : "is denied";
    this.#options.say(`${tool} ${outcome}${isAnswered ? "" : ", not from here"} (${call})`);
  }

  #listen(): void {
    const { listen } = this.#options;
    const isDue = this.#question !== undefined && !this.#question.isAnswered && !this.#isOver;
    if (isDue) this.#stopListening ??= listen?.((key) => this.#answer(key));
  }

  #giveBack(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #answer(key: string): void {
    const { clock, decide, say } = this.#options;
    const question = this.#question;
    const decision = ANSWERS.get(key);
    if (question === undefined || decision === undefined || clock.monotonic() - question.askedAt < READING_MS) return;
    question.isAnswered = true;
    this.#giveBack();
    // What came of it is told by the next state.
    decide(question.call, decision).catch((error: unknown) => {
      say(`this could not be decided: ${describeFailure(error).message}`);
      question.isAnswered = false;
      this.#listen();
    });
  }
}
