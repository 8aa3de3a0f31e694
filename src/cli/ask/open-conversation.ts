import type { ChatRow } from "../../facet/index.js";
import { connectLocally } from "../../wire/index.js";
import type { CliContext } from "../context.js";
import type { Shows } from "../options/shows.js";
import type { WorkSession } from "../session/work-session.js";
import { coloursFor } from "../terminal/colours.js";
import { openTextOutput } from "../terminal/text-output.js";
import type { TextOutput } from "../terminal/text-output.js";
import { Conversation } from "./conversation.js";
import { createJsonView } from "./json-view.js";
import { PieceReader } from "./pieces.js";
import { PlainView } from "./plain-view.js";
import { createQuietView } from "./quiet-view.js";
import { ScreenView } from "./screen-view.js";
import { canType, openKeyLines, openWholeLines } from "./typed-lines.js";
import type { TypedLines } from "./typed-lines.js";
import type { ConversationView } from "./view.js";

export interface ConversationChoice {
  readonly session: WorkSession;
  readonly shows: Shows;
  /** Whether one prompt follows the other. */
  readonly isOngoing: boolean;
  /** Whether calls go on without this process, so that a terminal that is closed ends this process alone. */
  readonly isOutliving: boolean;
  /** Which of the rows that are there already need not be shown. Default all of them. */
  readonly isKnown?: (row: ChatRow) => boolean;
}

/** Whether somebody sits at the terminal who sees what is asked and can answer. */
export function isPersonThere(shows: Shows, { stdout, signals }: CliContext): boolean {
  return shows === "everything" && stdout.isTTY === true && canType({ signals });
}

/** The conversation of a session on this process's own streams, following it from here on. */
export function openConversation(choice: ConversationChoice, context: CliContext): Conversation {
  const { session, shows, isOutliving } = choice;
  const output = openTextOutput(context.stdout);
  const isDrawn = output.isTerminal && context.environment["TERM"] !== "dumb";
  const typed = isPersonThere(shows, context) ? (isDrawn ? openKeyLines(context) : openWholeLines(context)) : undefined;
  const joined: { resync: () => void } = { resync: () => undefined };
  const view = openView({ choice, output, isDrawn, typed, resync: () => joined.resync() }, context);
  const conversation = new Conversation({ session, view, output, typed, isOutliving }, context);
  joined.resync = connectLocally(session.chat, {
    onChange: ({ value }, json) => conversation.follow(value, json),
  }).resync;
  return conversation;
}

interface ViewParts {
  readonly choice: ConversationChoice;
  readonly output: TextOutput;
  readonly isDrawn: boolean;
  readonly typed: TypedLines | undefined;
  readonly resync: () => void;
}

function openView({ choice, output, isDrawn, typed, resync }: ViewParts, context: CliContext): ConversationView {
  const { session, shows, isOngoing, isKnown } = choice;
  if (shows === "json") return createJsonView({ output, session: session.id, resync });
  const errors = openTextOutput(context.stderr);
  if (shows === "result") return createQuietView(output, errors);
  const reader = new PieceReader(session.chat.snapshot(), isKnown);
  const { clock, environment } = context;
  if (!isDrawn) return new PlainView({ output, errors, reader, colours: coloursFor(errors, environment) });
  const colours = coloursFor(output, environment);
  return new ScreenView({ output, reader, clock, colours, editor: typed?.editor, isOngoing });
}
