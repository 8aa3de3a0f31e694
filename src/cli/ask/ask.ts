import type { CliContext } from "../context.js";
import { CliError } from "../failure.js";
import { serveWork } from "../host/serve-work.js";
import type { SessionServer } from "../host/session-server.js";
import { isPersonThere, openConversation } from "./open-conversation.js";
import { openAskSession } from "./open-session.js";
import { readPrompt } from "./prompt-text.js";
import type { AskRequest } from "./request.js";

/** Asks a model that works with tools, shows what it does and says, and gives the exit code. */
export async function ask(request: AskRequest, context: CliContext): Promise<number> {
  const isPerson = isPersonThere(request.shows, context);
  const prompt = await readPrompt(request.prompt, context);
  if (prompt === undefined && !isPerson) {
    throw new CliError("bad_usage", 'the prompt is missing; say what to ask, such as: spillway ask "what is here?"');
  }
  const session = await openAskSession(request, isPerson, context);
  let server: SessionServer | undefined;
  try {
    server = await serveWork(session, request, context);
    const isOngoing = prompt === undefined;
    const conversation = openConversation({ session, shows: request.shows, isOngoing }, context);
    try {
      return await (prompt === undefined
        ? conversation.goOn()
        : conversation.see(() => session.lane.prompt(prompt)));
    } finally {
      await conversation.close();
    }
  } finally {
    await session.close();
    await server?.close();
  }
}
