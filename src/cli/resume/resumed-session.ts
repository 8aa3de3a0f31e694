import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "../../exec/index.js";
import { createScriptedModel } from "../../models/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { openSessionEnv, sweepSpills } from "../session/session-env.js";
import { readSettings } from "../session/settings.js";
import type { SessionSettings } from "../session/settings.js";
import type { SessionStore } from "../session/store.js";
import { openWorkSession } from "../session/work-session.js";
import type { WorkSession } from "../session/work-session.js";

/** Opens a session as the process that died had it, with a model that says nothing: what was begun is only settled. */
export async function openResumedSession(
  store: SessionStore,
  id: SessionId,
  context: CliContext,
): Promise<WorkSession> {
  const storage = await store.storage.open(id);
  try {
    const settings = (await readSettings(storage)) ?? defaultSettings(context);
    const env = openSessionEnv(store, id, { cwd: settings.cwd, passedVariables: [] }, context);
    const model = createScriptedModel({ version: 1, turns: [] }, { id: "script:resume" });
    return await openWorkSession(
      { store, storage, env, model, settings, sweeping: sweepSpills(env, store), isNew: false },
      context,
    );
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function defaultSettings({ cwd }: CliContext): SessionSettings {
  return { cwd, limits: { retain: "tail", maxBytes: DEFAULT_MAX_BYTES, maxLines: DEFAULT_MAX_LINES } };
}
