import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { ID_PATTERN, PROTOCOL_VERSION } from "../protocol/index.js";
import { parseRange } from "./byte-range.js";
import { WireError } from "./errors.js";
import type { RouteRules } from "./guard.js";
import { readJsonBody } from "./json-body.js";
import { readPage, trimPage } from "./entry-page.js";
import type { CallOutput, WireSession, WireSource } from "./source.js";
import type { StreamPool } from "./stream-pool.js";
import type { Access } from "./tokens.js";

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

export interface Route extends RouteRules {
  readonly path: string;
  readonly answer: (context: RouteContext) => Promise<Response>;
}

/** Every address that holds data. `spec/wire.md` has them for readers. */
export const routes: readonly Route[] = [
  { path: "/api/sessions", methods: ["GET"], access: "view", answer: answerSessions },
  { path: "/api/sessions/:session", methods: ["GET"], access: "view", answer: answerSession },
  { path: "/api/sessions/:session/lanes/:lane/facets/:facet", methods: ["GET"], access: "view", answer: answerFacet },
  { path: "/api/sessions/:session/lanes/:lane/entries", methods: ["GET"], access: "view", answer: answerEntries },
  { path: "/api/sessions/:session/lanes/:lane/abort", methods: ["POST"], access: "control", answer: answerAbort },
  {
    path: "/api/sessions/:session/operations/:operation/calls/:call/output",
    methods: ["GET"],
    access: "view",
    answer: answerOutput,
  },
];

async function answerSessions({ access, source }: RouteContext): Promise<Response> {
  return json({ protocol: PROTOCOL_VERSION, access, sessions: await source.sessions() });
}

async function answerSession(context: RouteContext): Promise<Response> {
  const { summary, lanes } = await findSession(context);
  return json({ protocol: PROTOCOL_VERSION, ...summary, lanes });
}

async function answerFacet(context: RouteContext): Promise<Response> {
  const session = await findSession(context);
  const facet = id(context, "facet");
  const stream = found(await session.facet(id(context, "lane"), facet), `no facet ${facet} of this lane`);
  context.streams.open(context.outgoing, facet, stream);
  return RESPONSE_ALREADY_SENT;
}

async function answerEntries(context: RouteContext): Promise<Response> {
  const session = await findSession(context);
  const lane = id(context, "lane");
  const page = readPage(context.query);
  return json(trimPage(found(await session.entries(lane, page), `no lane ${lane} in this session`)));
}

async function answerAbort(context: RouteContext): Promise<Response> {
  const session = await findSession(context);
  const { reason } = await readJsonBody(context.incoming);
  if (reason !== undefined && (typeof reason !== "string" || reason.length > 200)) {
    throw new WireError("invalid_request", "reason is a text of at most 200 characters");
  }
  const stopped = await session.abort(id(context, "lane"), reason ?? "stopped from elsewhere");
  if (!stopped) throw new WireError("conflict", "nothing runs in this lane");
  return json({ aborted: true }, 202);
}

async function answerOutput(context: RouteContext): Promise<Response> {
  const session = await findSession(context);
  const output = await session.output(id(context, "operation"), id(context, "call"));
  return outputAnswer(found(output, "no such call, or nothing of it was kept"), context.header("range"));
}

function outputAnswer(output: CallOutput, rangeHeader: string | undefined): Response {
  const range = parseRange(rangeHeader, output.bytes);
  const { start, end } = range ?? { start: 0, end: output.bytes };
  const body = end === start ? null : Readable.toWeb(Readable.from(output.read(start, end), { objectMode: false }));
  return new Response(body as ReadableStream | null, {
    status: range === undefined ? 200 : 206,
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(end - start),
      "accept-ranges": "bytes",
      "cache-control": "no-store",
      "spillway-complete": String(output.complete),
      ...(range !== undefined && { "content-range": `bytes ${start}-${end - 1}/${output.bytes}` }),
    },
  });
}

async function findSession(context: RouteContext): Promise<WireSession> {
  const session = id(context, "session");
  return found(await context.source.session(session), `no session ${session}`);
}

function id(context: RouteContext, name: string): string {
  const value = context.param(name);
  if (!ID_PATTERN.test(value)) throw new WireError("not_found", `the ${name} in the address is no id`);
  return value;
}

function found<Thing>(thing: Thing | undefined, message: string): Thing {
  if (thing === undefined) throw new WireError("not_found", message);
  return thing;
}

function json(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store" } });
}
