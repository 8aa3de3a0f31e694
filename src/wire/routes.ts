import { Readable } from "node:stream";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { PROTOCOL_VERSION } from "../protocol/index.js";
import { parseRange } from "./byte-range.js";
import { readPage, trimPage } from "./entry-page.js";
import {
  answerAbort,
  answerApproval,
  answerMessage,
  answerWithdrawal,
  MAX_MESSAGE_BODY_BYTES,
} from "./lane-commands.js";
import { findSession, found, json, readId } from "./route.js";
import type { Route, RouteContext } from "./route.js";
import type { CallOutput } from "./source.js";

/** Every address that holds data. `spec/wire.md` has them for readers. */
export const routes: readonly Route[] = [
  { path: "/api/sessions", methods: ["GET"], access: "view", answer: answerSessions },
  { path: "/api/sessions/:session", methods: ["GET"], access: "view", answer: answerSession },
  { path: "/api/sessions/:session/lanes/:lane/facets/:facet", methods: ["GET"], access: "view", answer: answerFacet },
  { path: "/api/sessions/:session/lanes/:lane/entries", methods: ["GET"], access: "view", answer: answerEntries },
  { path: "/api/sessions/:session/lanes/:lane/abort", methods: ["POST"], access: "control", answer: answerAbort },
  {
    path: "/api/sessions/:session/lanes/:lane/approvals/:call",
    methods: ["POST"],
    access: "control",
    answer: answerApproval,
  },
  {
    path: "/api/sessions/:session/lanes/:lane/messages",
    methods: ["POST"],
    access: "control",
    maxBodyBytes: MAX_MESSAGE_BODY_BYTES,
    answer: answerMessage,
  },
  {
    path: "/api/sessions/:session/lanes/:lane/messages/:entry",
    methods: ["DELETE"],
    access: "control",
    answer: answerWithdrawal,
  },
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
  const facet = readId(context, "facet");
  const stream = found(await session.facet(readId(context, "lane"), facet), `no facet ${facet} of this lane`);
  context.streams.open(context.outgoing, facet, stream);
  return RESPONSE_ALREADY_SENT;
}

async function answerEntries(context: RouteContext): Promise<Response> {
  const session = await findSession(context);
  const lane = readId(context, "lane");
  const page = readPage(context.query);
  return json(trimPage(found(await session.entries(lane, page), `no lane ${lane} in this session`)));
}

async function answerOutput(context: RouteContext): Promise<Response> {
  const session = await findSession(context);
  const output = await session.output(readId(context, "operation"), readId(context, "call"));
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
