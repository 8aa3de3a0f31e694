import type { ChatState } from "../../facet/index.js";
import type { OperationResult } from "../../harness/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { TerminalBorrower } from "../signals/lent-terminal.js";

/** How a conversation is shown. */
export interface ConversationView extends TerminalBorrower {
  /** Called after each message, with the chat as it is now. It is changed in place and may be looked at later. */
  show(state: ChatState, json: string): void;
  /** Called when what a person types has changed; absent where that is not shown. */
  draw?(): void;
  /** Says something to whoever looks on, outside of the conversation. */
  remark(text: string): void;
  /** An operation has ended, with this as its last answer. Resolves when all that belongs to it was written. */
  settle(end: AnswerEnd): Promise<void>;
  /** Gives the terminal back; resolves when all was written. */
  close(): Promise<void>;
}

export interface AnswerEnd extends Pick<OperationResult, "operationId" | "status"> {
  /** Why it ended otherwise than completed. */
  readonly reason: string | undefined;
  readonly session: SessionId;
  readonly usage: Partial<OperationResult["usage"]>;
  /** The last answer's text. */
  readonly text: string;
  readonly durationMs: number;
}
