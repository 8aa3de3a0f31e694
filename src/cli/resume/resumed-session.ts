import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "../../exec/index.js";
import { CallRecords, createMcpTools } from "../../mcp/index.js";
import { createScriptedModel } from "../../models/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { AgentHarnessTool } from "../../tools/index.js";
import { openAgentSession } from "../ask/agent-session.js";
import type { CliContext } from "../context.js";
import { spillsOf } from "../mcp/readable-spills.js";
import { openObservedSession } from "../run/session.js";
import type { RunSession } from "../run/session.js";
import { readSettings } from "../session/settings.js";
import type { SessionSettings } from "../session/settings.js";
import type { SessionStore } from "../session/store.js";
import type { WorkSession } from "../session/work-session.js";

/** With a model that goes on where it was, or, where a command was all there was, with one that has nothing more to say. */
export type ResumedSession = (
  | { readonly kind: "ask"; readonly session: WorkSession }
  | { readonly kind: "run"; readonly session: RunSession }
) & { readonly settings: SessionSettings };

/** Opens a session as the process that died had it. */
export async function openResumedSession(
  store: SessionStore,
  id: SessionId,
  context: CliContext,
): Promise<ResumedSession> {
  const storage = await store.storage.open(id);
  try {
    const settings = (await readSettings(storage)) ?? defaultSettings(context);
    const { model: name } = settings;
    if (name !== undefined) {
      const agent = { store, storage, settings: { ...settings, model: name }, passedVariables: [], isNew: false };
      return { kind: "ask", session: await openAgentSession(agent, context), settings };
    }
    const earlier = { answers: 0 };
    const model = createScriptedModel(
      { version: 1, turns: [[]] },
      { id: "script:resume", precedingAnswers: () => earlier.answers },
    );
    const request = { ...settings, passedVariables: [] };
    const tools = toolsOf(store, id, settings, context);
    const session = await openObservedSession({ store, storage, request, model, tools, isNew: false }, context);
    earlier.answers = session.lane.view().transcript.filter(({ type }) => type === "assistant").length;
    return { kind: "run", session, settings };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** What was called there is taken up by the tools that were called. */
function toolsOf(
  { places }: SessionStore,
  id: SessionId,
  { mcp, limits }: SessionSettings,
  { clock }: CliContext,
): readonly AgentHarnessTool[] | undefined {
  if (mcp === undefined) return undefined;
  const root = { path: mcp.root, isReadable: spillsOf(places, (session) => session === id) };
  return createMcpTools({ records: new CallRecords(), root, output: limits, clock });
}

function defaultSettings({ cwd }: CliContext): SessionSettings {
  return {
    cwd,
    env: "in-process",
    limits: { retain: "tail", maxBytes: DEFAULT_MAX_BYTES, maxLines: DEFAULT_MAX_LINES },
  };
}
