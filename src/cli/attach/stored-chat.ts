import { chatFacet } from "../../facet/index.js";
import type { ChatState } from "../../facet/index.js";
import { toLaneView } from "../../harness/index.js";
import type { OperationRecord } from "../../harness/index.js";
import type { SessionId } from "../../protocol/index.js";
import { EXIT_NOT_COMPLETED, EXIT_OK } from "../exit-codes.js";
import type { SessionStore } from "../session/store.js";
import type { SessionSummary } from "../sessions/summary.js";
import { readSession } from "../show/session-contents.js";
import type { AttachedDisplay } from "./attached-display.js";

/** What there is to see of a session that no process has. */
export interface StoredChat {
  readonly chat: ChatState;
  /** Whether a model worked in it. */
  readonly isChat: boolean;
  readonly summary: SessionSummary;
}

export async function readStored(store: SessionStore, session: SessionId): Promise<StoredChat> {
  const { lanes, summary, settings } = await readSession(store, session);
  const [lane] = lanes;
  const view = lane === undefined ? { transcript: [], operation: null } : toLaneView(lane);
  const chat = { ...chatFacet.initial(view), operation: describeOperation(lane?.record) };
  return { chat, isChat: settings?.model !== undefined, summary };
}

/** Shows it, says that nobody runs it, and gives the exit code. */
export async function showStored({ chat, summary }: StoredChat, display: AttachedDisplay): Promise<number> {
  const { session, state } = summary;
  await display.finish(chat);
  const advice = state === "unsettled" ? `; its process has died: spillway resume ${session}` : "";
  await display.remark(`no process runs session ${session}: this is what is stored of it (${state})${advice}`);
  return state === "completed" ? EXIT_OK : EXIT_NOT_COMPLETED;
}

function describeOperation(record: OperationRecord | undefined): ChatState["operation"] {
  if (record === undefined) return null;
  const { id, status, reason } = record;
  return { id, state: status === "running" ? "interrupted" : status, ...(reason === undefined ? {} : { reason }) };
}
