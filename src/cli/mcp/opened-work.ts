import { executionsOf, readLane } from "../../harness/index.js";
import { CallRecords, createMcpTools } from "../../mcp/index.js";
import type { McpWork } from "../../mcp/index.js";
import { createScriptedModel } from "../../models/index.js";
import type { ExecClient, ExecutionEnv, LocalEnv } from "../../exec/index.js";
import type { SessionId, ToolCallId } from "../../protocol/index.js";
import type { SessionStorage } from "../../storage/index.js";
import { openSpill } from "../cat/spill.js";
import type { CliContext } from "../context.js";
import { CliError, describeFailure } from "../failure.js";
import { serveSession } from "../host/session-server.js";
import type { SessionServer } from "../host/session-server.js";
import { readRunFile } from "../session/run-file.js";
import { openSessionEnv, removeOldSpills } from "../session/session-env.js";
import { storeSettings } from "../session/settings.js";
import type { SessionStore } from "../session/store.js";
import { openWorkSession } from "../session/work-session.js";
import type { WorkSession } from "../session/work-session.js";
import { spillsOf } from "./readable-spills.js";
import type { McpRequest } from "./request.js";
import type { RootSessions } from "./root-sessions.js";

/** A session whose tools clients call, and what others watch it by. */
export interface OpenedWork extends McpWork {
  /** Whether a call runs. */
  readonly isBusy: boolean;
  /** Gives everything back; what goes on in an exec host goes on. */
  close(): Promise<void>;
}

export interface OpenWorkOptions {
  readonly store: SessionStore;
  /** Opened for writing; closed with what is opened. */
  readonly storage: SessionStorage;
  readonly request: McpRequest;
  readonly sessions: RootSessions;
  readonly isNew: boolean;
}

/** Opens every layer of a session, and takes up what an earlier process left of it. */
export async function openWork(options: OpenWorkOptions, context: CliContext): Promise<OpenedWork> {
  const { store, storage, request, sessions } = options;
  const { places } = store;
  const id = storage.sessionId;
  const previous = readRunFile(places, id);
  const plans = await readPlans(storage);
  const settings = { ...request, cwd: request.root, mcp: { root: request.root } };
  await storeSettings(storage, settings);
  sessions.add(id);
  const env = await openSessionEnv(store, id, settings, context);
  const work = await openLayers(options, env, context);
  const { records, session } = work;
  records.restore(session.lane.view().transcript, plans);
  session.lane.subscribe(records.subscriber());
  const server = await serveSession(session, {
    places,
    port: request.hasPage ? 0 : undefined,
    // Who watched comes back to the same address, and nobody waits for that in the end.
    previous: previous && { ...previous, viewers: 0 },
    warn: (text) => tell(context, text),
  });
  session.harness.recover().catch((error: unknown) => {
    tell(context, `what was left of session ${id} could not be taken up: ${describeFailure(error).message}`);
  });
  return {
    session: id,
    lane: session.lane,
    env: session.env,
    records,
    others: async () => ("listAll" in env ? sessions.filter(await env.listAll()) : []),
    openOutput: (owner, spillPath) => openSpill(places, { session: owner, spillPath }),
    watch: describeWatch(id, server),
    get isBusy() {
      return (session.lane.view().operation?.tools.length ?? 0) > 0;
    },
    async close() {
      await session.close();
      await server.close();
    },
  };
}

interface Layers {
  readonly session: WorkSession;
  readonly records: CallRecords;
}

async function openLayers(
  { store, storage, request, sessions, isNew }: OpenWorkOptions,
  env: ExecClient | LocalEnv,
  context: CliContext,
): Promise<Layers> {
  const records = new CallRecords();
  const { clock } = context;
  const root = { path: request.root, isReadable: spillsOf(store.places, (session) => sessions.has(session)) };
  const session = await openWorkSession(
    {
      store,
      storage,
      env: outliving(env),
      // Nobody asks it anything.
      model: createScriptedModel({ version: 1, turns: [] }, { id: "script:mcp" }),
      tools: createMcpTools({ records, root, output: request.limits, clock }),
      settings: { ...request, cwd: request.root },
      sweeping: removeOldSpills(store, context),
      isNew,
    },
    context,
  );
  return { session, records };
}

/** An exec host is only let go of: what processes a command left there goes on when the client has gone. */
function outliving(env: ExecClient | LocalEnv): ExecutionEnv {
  return "disconnect" in env ? { ...env, close: () => env.disconnect() } : env;
}

/** By call, the execution that an earlier process had begun for it. @throws {CliError} `unsettled` */
async function readPlans(storage: SessionStorage): Promise<ReadonlyMap<ToolCallId, string>> {
  const { unsettled } = await readLane(storage, "main");
  if (unsettled?.isDirect === false) {
    const id = storage.sessionId;
    throw new CliError("unsettled", `session ${id} has a run that was interrupted; settle it: spillway resume ${id}`);
  }
  const calls = unsettled?.calls ?? [];
  return new Map(
    calls.flatMap((call) => executionsOf(call).map(({ executionId }) => [call.toolCallId, executionId] as const)),
  );
}

function describeWatch(id: SessionId, { origin, tokens }: SessionServer): string {
  return origin === undefined ? `spillway attach ${id}` : `${origin}/#token=${tokens.view}`;
}

function tell({ stderr }: CliContext, text: string): void {
  stderr.write(`spillway: ${text}\n`);
}
