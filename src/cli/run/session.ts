import { createScriptedModel } from "../../models/index.js";
import type { Model, Script } from "../../models/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { SessionStorage } from "../../storage/index.js";
import type { AgentHarnessTool } from "../../tools/index.js";
import type { CliContext } from "../context.js";
import { CliError } from "../failure.js";
import { createSessionId } from "../places.js";
import { openSessionEnv, removeOldSpills } from "../session/session-env.js";
import type { SessionEnvOptions } from "../session/session-env.js";
import { storeSettings } from "../session/settings.js";
import type { SessionSettings } from "../session/settings.js";
import { openWritableStore } from "../session/store.js";
import type { SessionStore } from "../session/store.js";
import { openWorkSession } from "../session/work-session.js";
import type { WorkSession } from "../session/work-session.js";
import { ObservedEnv } from "./observed-env.js";
import type { RunRequest } from "./request.js";

export type RunSession = WorkSession<ObservedEnv>;

/** Opens a session whose model calls `bash` once with the command and then ends: a new one, or the one asked for. */
export async function openRunSession(request: RunRequest, context: CliContext): Promise<RunSession> {
  const store = openWritableStore(context);
  const storage = await openStorage(store, request.session, context);
  try {
    await storeSettings(storage, request);
    return await openLayers(store, storage, request, context);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function openLayers(
  store: SessionStore,
  storage: SessionStorage,
  request: RunRequest,
  context: CliContext,
): Promise<RunSession> {
  const earlier = { answers: 0 };
  const model = createScriptedModel(callOnce(request), { id: "script:run", precedingAnswers: () => earlier.answers });
  const isNew = request.session === undefined;
  const session = await openObservedSession({ store, storage, request, model, isNew }, context);
  const { transcript, operation } = session.lane.view();
  if (operation !== null) {
    await session.close();
    throw new CliError(
      "unsettled",
      `the last run of session ${session.id} was interrupted; settle it first: spillway resume ${session.id}`,
    );
  }
  earlier.answers = transcript.filter(({ type }) => type === "assistant").length;
  return session;
}

export interface ObservedSessionOptions {
  readonly store: SessionStore;
  /** Opened for writing; closed with the session. */
  readonly storage: SessionStorage;
  readonly request: SessionSettings & SessionEnvOptions;
  readonly model: Model;
  /** Default the bash that `run` uses. */
  readonly tools?: readonly AgentHarnessTool[] | undefined;
  readonly isNew: boolean;
}

/** A session of every layer that notes how its last execution ended. */
export async function openObservedSession(
  { store, storage, request, model, tools, isNew }: ObservedSessionOptions,
  context: CliContext,
): Promise<RunSession> {
  const env = new ObservedEnv(await openSessionEnv(store, storage.sessionId, request, context));
  const sweeping = removeOldSpills(store, context);
  try {
    return await openWorkSession({ store, storage, env, model, tools, settings: request, sweeping, isNew }, context);
  } catch (error) {
    await env.close();
    throw error;
  }
}

async function openStorage(
  { storage }: SessionStore,
  session: SessionId | undefined,
  context: CliContext,
): Promise<SessionStorage> {
  return session === undefined
    ? storage.create(createSessionId(context.clock.now(), context.random))
    : storage.open(session);
}

function callOnce({ command, timeoutSeconds }: RunRequest): Script {
  const args = timeoutSeconds === undefined ? { command } : { command, timeout: timeoutSeconds };
  return { version: 1, turns: [[{ type: "toolCall", name: "bash", args }], []] };
}
