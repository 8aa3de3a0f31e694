import type { CliContext } from "../context.js";
import { CliError } from "../failure.js";
import { serveWork } from "../host/serve-work.js";
import type { SessionServer } from "../host/session-server.js";
import type { WorkSession } from "../session/work-session.js";
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
    const isOutliving = request.env === "exec-host";
    const conversation = openConversation({ session, shows: request.shows, isOngoing, isOutliving }, context);
    try {
      return await (prompt === undefined ? conversation.goOn() : conversation.see(() => session.lane.prompt(prompt)));
    } finally {
      await conversation.close();
    }
  } finally {
    if (request.shows === "everything") tellRefused(session, context);
    await session.close();
    await server?.close();
  }
}

/** What was refused for want of somebody to ask is easily had, and whoever calls this should know how. */
function tellRefused({ harness, lane }: WorkSession, { stderr }: CliContext): void {
  const { tools } = harness.policy;
  const called = lane.view().transcript.flatMap((entry) => (entry.type === "tool" ? entry.toolName : []));
  const refused = Object.keys(tools).filter((name) => tools[name] === "refuse" && called.includes(name));
  if (refused.length === 0) return;
  const names = refused.join(", ");
  stderr.write(`spillway: nobody could be asked about ${names}; allow it with --sandbox, or with --yes for everything
`);
}
