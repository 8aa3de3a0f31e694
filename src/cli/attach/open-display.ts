import type { SessionId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import type { Shows } from "../options/shows.js";
import { AttachedConversation } from "./attached-conversation.js";
import type { Speaker } from "./attached-conversation.js";
import { AttachedCalls } from "./attached-calls.js";
import type { AttachedDisplay } from "./attached-display.js";
import { AttachedJson } from "./attached-json.js";

export interface DisplayChoice {
  readonly session: SessionId;
  readonly shows: Shows;
  /** Whether a model works in it. */
  readonly isChat: boolean;
  readonly speaker: Speaker | undefined;
}

/** What fits the session, and what is asked for. */
export function openDisplay({ session, shows, isChat, speaker }: DisplayChoice, context: CliContext): AttachedDisplay {
  if (shows === "json") return new AttachedJson(session, context);
  const isQuiet = shows === "result";
  return isChat
    ? new AttachedConversation({ session, isQuiet, speaker }, context)
    : new AttachedCalls(isQuiet, context);
}
