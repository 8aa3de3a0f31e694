import type { ChatState } from "../../facet/index.js";
import type { Change } from "../../wire/client/index.js";
import type { TerminalBorrower } from "../signals/lent-terminal.js";

/** How a session that another process runs is shown. */
export interface AttachedDisplay extends TerminalBorrower {
  show(change: Change<ChatState>): void;
  /** `listener` is called when somebody wants to leave by what is typed; absent where nothing is. */
  onLeave?(listener: () => void): void;
  /** The connection was lost, or is there again. */
  lose(why: string): void;
  restore(): void;
  /** Says something between what is shown. */
  interject(text: string): void;
  /** Shows the last value and nothing after it. */
  finish(value: ChatState): Promise<void>;
  /** Gives the terminal back with a word, and nothing more of the value. */
  leave(text: string): Promise<void>;
  remark(text: string): Promise<void>;
}
