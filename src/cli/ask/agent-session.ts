import { resolve } from "node:path";
import { formatModelName, openModel, parseModelName } from "../../models/index.js";
import type { PermissionPolicy } from "../../harness/index.js";
import type { SessionStorage } from "../../storage/index.js";
import { createBuiltInTools } from "../../tools/index.js";
import type { CliContext } from "../context.js";
import { openSessionEnv, removeOldSpills } from "../session/session-env.js";
import type { SessionSettings } from "../session/settings.js";
import type { SessionStore } from "../session/store.js";
import { openWorkSession } from "../session/work-session.js";
import type { WorkSession } from "../session/work-session.js";
import { describeWork } from "./system-prompt.js";

/** How a session is run in which a model works. */
export interface AgentSettings extends SessionSettings {
  readonly model: string;
}

export interface AgentSessionOptions {
  readonly store: SessionStore;
  /** Opened for writing; closed with the session. */
  readonly storage: SessionStorage;
  readonly settings: AgentSettings;
  readonly passedVariables: readonly string[];
  /** Default the one that is stored with the session. */
  readonly policy?: PermissionPolicy | undefined;
  readonly isNew: boolean;
}

/** Every layer of a session in which the model of its settings works with all tools. */
export async function openAgentSession(
  { store, storage, settings, passedVariables, policy, isNew }: AgentSessionOptions,
  context: CliContext,
): Promise<WorkSession> {
  const model = await openModel(settings.model, { environment: context.environment });
  const env = await openSessionEnv(store, storage.sessionId, { ...settings, passedVariables }, context);
  const tools = createBuiltInTools({ output: settings.limits });
  const agent = { system: describeWork({ cwd: settings.cwd, sandbox: settings.sandbox }, context), policy };
  const sweeping = removeOldSpills(store, context);
  try {
    return await openWorkSession(
      { store, storage, env, model, takesMessages: true, tools, settings, agent, sweeping, isNew },
      context,
    );
  } catch (error) {
    await env.close();
    throw error;
  }
}

/** The name as it holds from any folder. Throws what {@link parseModelName} does. */
export function settleModelName(name: string, cwd: string): string {
  const parsed = parseModelName(name);
  return formatModelName(parsed.kind === "script" ? { ...parsed, path: resolve(cwd, parsed.path) } : parsed);
}
