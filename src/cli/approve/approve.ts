import type { LaneView } from "../../lane/index.js";
import type { SessionId, ToolCallId } from "../../protocol/index.js";
import { connectToStream, facetPath, WireError } from "../../wire/index.js";
import type { CallDecision, WireTarget } from "../../wire/index.js";
import { follow } from "../../wire/client/index.js";
import type { ConnectionError } from "../../wire/client/index.js";
import type { CliContext } from "../context.js";
import { EXIT_OK } from "../exit-codes.js";
import { CliError } from "../failure.js";
import { openStore } from "../session/store.js";
import type { SessionStore } from "../session/store.js";
import { summarizeAll } from "../sessions/summary.js";
import { openTextOutput } from "../terminal/text-output.js";
import { openRunningSession } from "./running-session.js";
import type { RunningSession } from "./running-session.js";
import { describeWaiting, listWaiting } from "./waiting-call.js";
import type { ListedCall } from "./waiting-call.js";

export interface ApproveRequest {
  /** All that run, where none is named. */
  readonly session: SessionId | undefined;
  /** What is decided about which call; where none is named, those that wait are listed. */
  readonly decided: { readonly call: ToolCallId; readonly decision: CallDecision } | undefined;
  readonly asJson: boolean;
}

/** Decides about a call that waits, or lists those that do, and gives the exit code. */
export async function approve(request: ApproveRequest, context: CliContext): Promise<number> {
  const store = openStore(context);
  const { session, decided } = request;
  if (session !== undefined && decided !== undefined) await decide(store, session, decided, request, context);
  else await list(store, request, context);
  return EXIT_OK;
}

type Decided = NonNullable<ApproveRequest["decided"]>;

async function decide(
  store: SessionStore,
  id: SessionId,
  { call, decision }: Decided,
  { asJson }: ApproveRequest,
  context: CliContext,
): Promise<void> {
  const { session } = await openRunningSession(store, id);
  const lane = await decideInLanes(session, call, decision);
  const output = openTextOutput(context.stdout);
  const word = decision.decision === "allow" ? "allowed" : "denied";
  if (asJson) output.write(`${JSON.stringify({ type: "decided", session: id, lane, call, ...decision })}\n`);
  else output.write(`${word} ${call} of session ${id}\n`);
  await output.idle();
}

/** A call's id says nothing of its lane: of all but one lane the answer is that it does not wait there. */
async function decideInLanes(
  session: RunningSession["session"],
  call: ToolCallId,
  decision: CallDecision,
): Promise<string> {
  let refusal: unknown = new CliError("not_found", "the session has no lane");
  for (const { id } of session.lanes) {
    try {
      await session.approve(id, call, decision);
      return id;
    } catch (error) {
      if (!(error instanceof WireError) || error.code !== "conflict") throw error;
      refusal = error;
    }
  }
  throw refusal;
}

async function list(store: SessionStore, { session, asJson }: ApproveRequest, context: CliContext): Promise<void> {
  const output = openTextOutput(context.stdout);
  const ids = session === undefined ? await findRunning(store) : [session];
  let count = 0;
  for (const id of ids) {
    for (const call of await readWaiting(await openRunningSession(store, id))) {
      output.write(asJson ? `${JSON.stringify({ type: "waiting", session: id, ...call })}\n` : drawCall(id, call));
      count += 1;
    }
  }
  await output.idle();
  if (count === 0 && !asJson) context.stderr.write("spillway: no call waits for approval\n");
}

async function findRunning(store: SessionStore): Promise<SessionId[]> {
  const summaries = await summarizeAll(store);
  return summaries.filter(({ pid }) => pid !== null).map(({ session }) => session);
}

function drawCall(id: SessionId, call: ListedCall): string {
  return `${describeWaiting(call)}  spillway approve ${id} ${call.call} [--deny]\n`;
}

/** From the views themselves: those hold all that a call was given. */
async function readWaiting({ session, target }: RunningSession): Promise<ListedCall[]> {
  const calls: ListedCall[] = [];
  for (const { id } of session.lanes) {
    const view = await readOnce<LaneView>(target, facetPath(session.summary.id, id, "lane"));
    calls.push(...listWaiting(id, view?.operation?.tools ?? []));
  }
  return calls;
}

/** The state of a facet as it is now. */
async function readOnce<State>(target: WireTarget, path: string): Promise<State | undefined> {
  let failure: ConnectionError | undefined;
  const following = follow<State>({
    connect: () => connectToStream(target, path),
    onState(state, why) {
      if (state !== "waiting") return;
      failure = why;
      following.stop();
    },
  });
  following.consumer.onChange(() => following.stop());
  const end = await following.ended;
  const { value } = following.consumer;
  if (value !== undefined) return value;
  const problem = end.reason === "refused" ? end.error : failure;
  throw new WireError("unavailable", `the session's process cannot be asked: ${problem?.message ?? "it ended"}`);
}
