import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "../../exec/index.js";
import { readLane, sessionPolicy } from "../../harness/index.js";
import type { SessionStorage } from "../../storage/index.js";
import type { CliContext } from "../context.js";
import { CliError, describeFailure } from "../failure.js";
import { createSessionId } from "../places.js";
import { readSettings, storeSettings } from "../session/settings.js";
import type { SessionSettings } from "../session/settings.js";
import { openWritableStore } from "../session/store.js";
import type { WorkSession } from "../session/work-session.js";
import { openAgentSession, settleModelName } from "./agent-session.js";
import type { AgentSettings } from "./agent-session.js";
import { choosePolicy } from "./permissions.js";
import type { AskRequest } from "./request.js";

const NO_MODEL = `no model is named; say --model, or set SPILLWAY_MODEL, to one of
  anthropic:MODEL              a key is at https://console.anthropic.com/settings/keys, for ANTHROPIC_API_KEY
  openai:MODEL                 a key is at https://platform.openai.com/api-keys, for OPENAI_API_KEY
  http://HOST:PORT/v1#MODEL    such as http://localhost:11434/v1#qwen3:8b for Ollama, mostly without a key
SPILLWAY_ANTHROPIC_KEY_COMMAND or SPILLWAY_OPENAI_KEY_COMMAND may name a command that prints the key`;

/** A new session, or the one that was named, with what was asked for now in force. */
export async function openAskSession(
  request: AskRequest,
  isPerson: boolean,
  context: CliContext,
): Promise<WorkSession> {
  // What cannot be is said before anything is made.
  const named = request.model === undefined ? undefined : nameModel(request.model, context);
  if (request.session === undefined && named === undefined) nameModel(context.environment["SPILLWAY_MODEL"], context);
  const store = openWritableStore(context);
  const isNew = request.session === undefined;
  const storage = await (request.session === undefined
    ? store.storage.create(createSessionId(context.clock.now(), context.random))
    : store.storage.open(request.session));
  try {
    const stored = await readSettings(storage);
    if (!isNew) await refuseUnfit(storage, stored);
    const settings = makeSettings(request, stored, context);
    const policy = choosePolicy({
      allowsAll: request.allowsAll || settings.sandbox !== undefined,
      isPerson,
      stored: stored?.model === undefined ? undefined : await storage.readValue(sessionPolicy),
    });
    await storeSettings(storage, settings);
    const { passedVariables } = request;
    return await openAgentSession({ store, storage, settings, passedVariables, policy, isNew }, context);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** What the session had stays, unless something else is asked for: above all a sandbox. */
function makeSettings(request: AskRequest, stored: SessionSettings | undefined, context: CliContext): AgentSettings {
  const model = request.model ?? stored?.model ?? context.environment["SPILLWAY_MODEL"];
  return {
    model: nameModel(model, context),
    cwd: request.cwd ?? stored?.cwd ?? context.cwd,
    env: request.env,
    sandbox: request.sandbox ?? stored?.sandbox,
    limits: stored?.limits ?? { retain: "tail", maxBytes: DEFAULT_MAX_BYTES, maxLines: DEFAULT_MAX_LINES },
  };
}

/** @throws {CliError} `bad_usage` */
function nameModel(name: string | undefined, { cwd }: CliContext): string {
  if (name === undefined || name === "") throw new CliError("bad_usage", NO_MODEL);
  try {
    return settleModelName(name, cwd);
  } catch (cause) {
    throw new CliError("bad_usage", describeFailure(cause).message, { cause });
  }
}

/** @throws {CliError} `unsettled` or `bad_usage` */
async function refuseUnfit(storage: SessionStorage, stored: SessionSettings | undefined): Promise<void> {
  const id = storage.sessionId;
  if (stored?.mcp !== undefined) {
    throw new CliError("bad_usage", `session ${id} belongs to spillway mcp; leave --session out to begin another`);
  }
  const { unsettled } = await readLane(storage, "main");
  if (unsettled === undefined) return;
  throw new CliError("unsettled", `session ${id} was interrupted; let it go on first: spillway resume ${id}`);
}
