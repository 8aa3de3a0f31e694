import { WireError } from "./errors.js";
import { readJsonBody } from "./json-body.js";
import { findLane, findSession, json, readId } from "./route.js";
import type { RouteContext } from "./route.js";
import type { CallDecision, MessageKind } from "./source.js";

export const MAX_ABORT_REASON_LENGTH = 200;
/** UTF-8 bytes of what the model is told of a denial. */
export const MAX_DECISION_REASON_BYTES = 4_096;
/** UTF-8 bytes of what is said to a lane. */
export const MAX_MESSAGE_BYTES = 65_536;
/** Bytes of the body that brings it: JSON may make it twice as long, and has words of its own. */
export const MAX_MESSAGE_BODY_BYTES = 163_840;

const MESSAGE_KINDS: readonly unknown[] = ["steer", "followUp", "prompt"] satisfies MessageKind[];

type Body = Awaited<ReturnType<typeof readJsonBody>>;

/** Stops what runs in a lane. */
export async function answerAbort(context: RouteContext): Promise<Response> {
  const session = await findSession(context);
  const { reason } = await readJsonBody(context.incoming);
  if (reason !== undefined && (typeof reason !== "string" || reason.length > MAX_ABORT_REASON_LENGTH)) {
    throw invalid(`reason is a text of at most ${MAX_ABORT_REASON_LENGTH} characters`);
  }
  const stopped = await session.abort(readId(context, "lane"), reason ?? "stopped from elsewhere");
  if (!stopped) throw new WireError("conflict", "nothing runs in this lane");
  return json({ aborted: true }, 202);
}

/** Decides about a call that waits for it. */
export async function answerApproval(context: RouteContext): Promise<Response> {
  const call = readId(context, "call");
  const { session, lane } = await findLane(context);
  await session.approve(lane, call, readDecision(await readJsonBody(context.incoming)));
  return json({ decided: true }, 202);
}

/** Says something to a lane. */
export async function answerMessage(context: RouteContext): Promise<Response> {
  const { session, lane } = await findLane(context);
  const { text, as } = readMessage(await readJsonBody(context.incoming, MAX_MESSAGE_BODY_BYTES));
  return json(await session.say(lane, text, as), 202);
}

/** Takes back what has not joined an operation. */
export async function answerWithdrawal(context: RouteContext): Promise<Response> {
  const entry = readId(context, "entry");
  const { session, lane } = await findLane(context);
  await readJsonBody(context.incoming);
  return json({ withdrawn: await session.withdraw(lane, entry) });
}

function readDecision({ decision, reason, always }: Body): CallDecision {
  // Who leaves the decision out, or misspells it, has decided nothing.
  if (decision !== "allow" && decision !== "deny") throw invalid(`decision is "allow" or "deny"`);
  if (always !== undefined && typeof always !== "boolean") throw invalid("always is true or false");
  const bytes = typeof reason === "string" ? Buffer.byteLength(reason) : reason === undefined ? 0 : Infinity;
  if (bytes > MAX_DECISION_REASON_BYTES)
    throw invalid(`reason is a text of at most ${MAX_DECISION_REASON_BYTES} bytes`);
  return {
    decision,
    ...(typeof reason === "string" && reason !== "" && { reason }),
    ...(always !== undefined && { always }),
  };
}

function readMessage({ text, as }: Body): { readonly text: string; readonly as: MessageKind } {
  if (!isMessageKind(as)) throw invalid(`as is one of ${MESSAGE_KINDS.map((kind) => JSON.stringify(kind)).join(", ")}`);
  // Providers refuse a message in which nothing is said.
  if (typeof text !== "string" || text.trim() === "" || Buffer.byteLength(text) > MAX_MESSAGE_BYTES) {
    throw invalid(
      `text is a text of at most ${MAX_MESSAGE_BYTES} bytes that is not blank; put more into a file and name it`,
    );
  }
  return { text, as };
}

function isMessageKind(value: unknown): value is MessageKind {
  return MESSAGE_KINDS.includes(value);
}

function invalid(message: string): WireError {
  return new WireError("invalid_request", message);
}
