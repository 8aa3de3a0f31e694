import type { SessionId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { EXIT_NOT_COMPLETED, EXIT_OK } from "../exit-codes.js";
import { serveSession } from "../host/session-server.js";
import type { SessionServer } from "../host/session-server.js";
import type { Shows } from "../options/shows.js";
import { judgeOutcome } from "../run/outcome.js";
import { listenForStops } from "../run/stops.js";
import { watchRun } from "../run/watch.js";
import { findUnsettled } from "../sessions/choose.js";
import { readRunFile } from "../session/run-file.js";
import { openWritableStore } from "../session/store.js";
import { openResumedSession } from "./resumed-session.js";
import { resumeAnswer } from "./resumed-answer.js";
import type { ResumedSession } from "./resumed-session.js";
import { openTalk } from "./talk.js";
import type { Talk } from "./talk.js";

export interface ResumeRequest {
  /** Where none is named: of the sessions that wait, the one that was used last. */
  readonly session: SessionId | undefined;
  readonly shows: Shows;
}

/** Takes up or settles what a process that died left of a session, shows it, and gives the exit code. */
export async function resume(request: ResumeRequest, context: CliContext): Promise<number> {
  const store = openWritableStore(context);
  const waiting = request.session === undefined ? await findUnsettled(store) : [request.session];
  const [id, ...others] = waiting;
  const talk = openTalk(request.shows, context);
  if (id === undefined) {
    await talk.nothingToDo("no session waits to be resumed");
    return EXIT_OK;
  }
  const previous = readRunFile(store.places, id);
  const resumed = await openResumedSession(store, id, context);
  const { session } = resumed;
  let server: SessionServer | undefined;
  try {
    server = await serveSession(session, { places: store.places, previous, warn: (text) => talk.remark(text) });
    return await (resumed.kind === "ask"
      ? resumeAnswer(resumed.session, { shows: request.shows, isOutliving: isOutliving(resumed) }, talk, context)
      : resumeIn(resumed, request, talk, context));
  } finally {
    await session.close();
    await server?.close();
    if (others.length > 0) talk.remark(`still to be resumed: ${others.join(", ")}`);
    await talk.idle();
  }
}

/** Whether calls go on without this process. */
function isOutliving({ settings }: ResumedSession): boolean {
  return settings.env === "exec-host";
}

async function resumeIn(
  resumed: Extract<ResumedSession, { kind: "run" }>,
  { shows }: ResumeRequest,
  talk: Talk,
  context: CliContext,
): Promise<number> {
  const { session, settings } = resumed;
  const id = session.lane.view().operation?.id;
  if (id === undefined) {
    await talk.nothingToDo(`session ${session.id} has nothing to resume`, session.id);
    return EXIT_OK;
  }
  const operation = { id, abort: (reason?: string) => void session.lane.abort(reason) };
  const { retain } = settings.limits;
  const { output } = talk;
  const watch = watchRun({ session, operation, calls: "several", shows, retain, output }, context);
  const display = watch.display;
  const stops = listenForStops({ session, operation, output, display, isOutliving: isOutliving(resumed) }, context);
  // Whoever sees output can stop it.
  watch.join();
  try {
    const { operations } = await session.harness.recover();
    await watch.display.finish(watch.window());
    const recovered = operations.find(({ operationId }) => operationId === id);
    if (recovered === undefined) return EXIT_OK;
    await talk.settled(session.id, recovered);
    if (recovered.outcome === "interrupted") return EXIT_NOT_COMPLETED;
    const outcome = judgeOutcome({ stopped: stops.cause, execution: session.env.ending, operation: recovered });
    if (outcome.failure !== undefined) talk.remark(outcome.failure.message);
    return outcome.exitCode;
  } finally {
    watch.display.abandon();
    stops.release();
  }
}
