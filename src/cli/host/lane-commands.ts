import { HarnessError } from "../../harness/index.js";
import type { HarnessErrorCode, Lane } from "../../harness/index.js";
import { WireError } from "../../wire/index.js";
import type { MessageKind, SaidMessage, WireErrorCode, WireSession } from "../../wire/index.js";
import type { WorkSession } from "../session/work-session.js";

/** What others may do to a lane over the wire, besides stopping it. */
export type LaneCommands = Pick<WireSession, "approve" | "say" | "withdraw">;

/** For the session that this process works on. */
export function createLaneCommands(work: Pick<WorkSession, "id" | "harness" | "takesMessages">): LaneCommands {
  const { id, harness, takesMessages } = work;
  const findLane = (laneId: string): Lane => {
    const lane = harness.lanes().find((known) => known.id === laneId);
    if (lane === undefined) throw new WireError("not_found", `no lane ${laneId} in this session`);
    return lane;
  };
  return {
    approve: (lane, call, decision) => telling(() => findLane(lane).approve(call, decision)),
    say: (lane, text, as) =>
      telling(() => {
        if (takesMessages) return say(findLane(lane), text, as);
        throw new WireError("conflict", `session ${id} runs commands without a model, so nobody would hear this`);
      }),
    withdraw: (lane, message) => telling(() => findLane(lane).withdraw(message)),
  };
}

/** For a session that no process works on. */
export function refuseLaneCommands(session: string): LaneCommands {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new WireError("conflict", `no process works on session ${session}; take it up first: spillway resume ${session}`),
    );
  return { approve: refuse, say: refuse, withdraw: refuse };
}

async function say(lane: Lane, text: string, as: MessageKind): Promise<SaidMessage> {
  if (as === "steer") return { message: await lane.steer(text) };
  if (as === "followUp") return { message: await lane.followUp(text) };
  // Its end is what viewers are told of; the promise of it never rejects.
  const { id } = await lane.prompt(text);
  return { operationId: id };
}

async function telling<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof HarnessError ? ANSWERS[error.code] : undefined;
    if (code === undefined || !(error instanceof HarnessError)) throw error;
    throw new WireError(code, error.message, { cause: error });
  }
}

const ANSWERS: { readonly [code in HarnessErrorCode]?: WireErrorCode } = {
  invalid_argument: "invalid_request",
  lane_busy: "conflict",
  lane_idle: "conflict",
  unsettled: "conflict",
  queue_full: "conflict",
  unknown_approval: "conflict",
  closed: "unavailable",
};
