import type { IncomingMessage, ServerResponse } from "node:http";
import { ID_PATTERN } from "../protocol/index.js";
import { WireError } from "./errors.js";
import type { RouteRules } from "./guard.js";
import type { WireSession, WireSource } from "./source.js";
import type { StreamPool } from "./stream-pool.js";
import type { Access } from "./tokens.js";

export interface Route extends RouteRules {
  readonly path: string;
  readonly answer: (context: RouteContext) => Promise<Response>;
}

export interface RouteContext {
  /** What the request's token allows. */
  readonly access: Access;
  readonly source: WireSource;
  readonly streams: StreamPool;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly param: (name: string) => string;
  readonly query: (name: string) => string | undefined;
  readonly header: (name: string) => string | undefined;
}

/** The session that the address names. */
export async function findSession(context: RouteContext): Promise<WireSession> {
  const session = readId(context, "session");
  return found(await context.source.session(session), `no session ${session}`);
}

/** The session, where it has the lane that the address names as well. */
export async function findLane(context: RouteContext): Promise<{ session: WireSession; lane: string }> {
  const session = await findSession(context);
  const lane = readId(context, "lane");
  found(
    session.lanes.find(({ id }) => id === lane),
    `no lane ${lane} in this session`,
  );
  return { session, lane };
}

export function readId(context: RouteContext, name: string): string {
  const value = context.param(name);
  if (!ID_PATTERN.test(value)) throw new WireError("not_found", `the ${name} in the address is no id`);
  return value;
}

export function found<Thing>(thing: Thing | undefined, message: string): Thing {
  if (thing === undefined) throw new WireError("not_found", message);
  return thing;
}

export function json(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store" } });
}
