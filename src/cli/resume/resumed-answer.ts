import { openConversation } from "../ask/open-conversation.js";
import type { Begun } from "../ask/conversation.js";
import type { OperationId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { EXIT_OK } from "../exit-codes.js";
import type { Shows } from "../options/shows.js";
import type { WorkSession } from "../session/work-session.js";
import type { Talk } from "./talk.js";

/** Lets a model go on with the answer that was interrupted, as `ask` shows it, and gives the exit code. */
export async function resumeAnswer(
  session: WorkSession,
  { shows, isOutliving }: { readonly shows: Shows; readonly isOutliving: boolean },
  talk: Talk,
  context: CliContext,
): Promise<number> {
  const id = session.lane.view().operation?.id;
  if (id === undefined) {
    await talk.nothingToDo(`session ${session.id} has nothing to resume`, session.id);
    return EXIT_OK;
  }
  // What the operation had said and done before is shown again.
  const isKnown = (row: { readonly operationId: OperationId }): boolean => row.operationId !== id;
  const conversation = openConversation({ session, shows, isOngoing: true, isOutliving, isKnown }, context);
  try {
    return await conversation.see(() => Promise.resolve(takeUp(session, id)));
  } finally {
    await conversation.close();
  }
}

function takeUp(session: WorkSession, id: OperationId): Begun {
  const settled = session.harness.recover().then(({ operations }) => {
    const own = operations.find(({ operationId }) => operationId === id);
    const { status, reason } = own ?? { status: "completed", reason: undefined };
    return { operationId: id, status, ...(reason === undefined ? {} : { reason }) };
  });
  return { id, settled };
}
