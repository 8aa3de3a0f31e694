import type { Entry, QueueKind } from "../../src/protocol/index.js";
import { connectByFetch } from "../../src/wire/client/index.js";
import type { Connection } from "../../src/wire/client/index.js";

/** What the host answers at its addresses; `spec/wire.md` has them. */
export interface Api {
  sessions(): Promise<SessionList>;
  session(id: string): Promise<SessionDetail>;
  /** The last entries before a position of the lane's transcript. */
  entries(place: LanePlace, before: number, limit: number): Promise<EntryPage>;
  /** Bytes of a call's output; a range that reaches beyond its end gives what there is. */
  output(call: CallPlace, range: ByteRange | LastBytes): Promise<OutputPart>;
  abort(place: LanePlace, reason: string): Promise<void>;
  /** Decides about a call of the lane that waits for it. */
  approve(place: LanePlace, toolCallId: string, decision: CallDecision): Promise<void>;
  say(place: LanePlace, text: string, as: MessageKind): Promise<void>;
  /** Takes back what was said and has not joined an operation. */
  withdraw(place: LanePlace, messageId: string): Promise<void>;
  follow(place: LanePlace, facet: string): Connection;
}

export type Access = "view" | "control";
export type SessionState = "running" | "open" | "closed" | "interrupted";

export interface SessionSummary {
  readonly id: string;
  readonly state: SessionState;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface SessionList {
  readonly access: Access;
  readonly sessions: readonly SessionSummary[];
}

export interface SessionDetail extends SessionSummary {
  readonly lanes: readonly LaneSummary[];
}

export interface LaneSummary {
  readonly id: string;
  readonly facets: readonly string[];
  /** Whether something can be said to it; a host of an earlier version does not tell. */
  readonly takesMessages?: boolean;
}

export interface CallDecision {
  readonly decision: "allow" | "deny";
  readonly reason?: string;
  readonly always?: boolean;
}

export type MessageKind = QueueKind | "prompt";

export interface EntryPage {
  readonly from: number;
  readonly entries: readonly Entry[];
}

export interface LanePlace {
  readonly session: string;
  readonly lane: string;
}

export interface CallPlace {
  readonly session: string;
  readonly operationId: string;
  readonly toolCallId: string;
}

/** From `start` up to and without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** So many bytes before the end. */
export interface LastBytes {
  readonly last: number;
}

export interface OutputPart {
  /** Position of the first byte. */
  readonly start: number;
  readonly body: Blob;
  /** How many bytes the output has in all. */
  readonly totalBytes: number;
  /** Whether that is all the call wrote. */
  readonly complete: boolean;
}

/** An answer that refuses, or none: then `code` is `unreachable`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a person is told of a request that came to nothing. */
export function describeProblem(error: unknown): string {
  return error instanceof ApiError ? error.message : String(error);
}

export function createApi(token: string): Api {
  const get = async <T>(path: string): Promise<T> => (await (await request(token, path)).json()) as T;
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { "content-type": "application/json" };
    await request(token, path, { method: "POST", headers, body: JSON.stringify(body) });
  };
  return {
    sessions: () => get("/api/sessions"),
    session: (id) => get(sessionPath(id)),
    entries: (place, before, limit) => get(`${lanePath(place)}/entries?before=${before}&limit=${limit}`),
    output: (call, range) => readOutput(token, call, range),
    abort: (place, reason) => post(`${lanePath(place)}/abort`, { reason }),
    approve: (place, toolCallId, decision) =>
      post(`${lanePath(place)}/approvals/${encodeURIComponent(toolCallId)}`, decision),
    say: (place, text, as) => post(`${lanePath(place)}/messages`, { text, as }),
    async withdraw(place, messageId) {
      await request(token, `${lanePath(place)}/messages/${encodeURIComponent(messageId)}`, { method: "DELETE" });
    },
    follow: (place, facet) => connectByFetch(`${lanePath(place)}/facets/${facet}`, { token }),
  };
}

async function readOutput(token: string, call: CallPlace, range: ByteRange | LastBytes): Promise<OutputPart> {
  const path = `${sessionPath(call.session)}/operations/${call.operationId}/calls/${call.toolCallId}/output`;
  const asked = "last" in range ? `bytes=-${range.last}` : `bytes=${range.start}-${range.end - 1}`;
  const response = await request(token, path, { headers: { range: asked } });
  const body = await response.blob();
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
  return {
    body,
    start: Number(start ?? 0),
    totalBytes: Number(total ?? body.size),
    complete: response.headers.get("spillway-complete") === "true",
  };
}

async function request(token: string, path: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...options,
      headers: { ...(options.headers as Record<string, string>), authorization: `Bearer ${token}` },
      cache: "no-store",
    });
  } catch {
    throw new ApiError("unreachable", "The host does not answer.");
  }
  if (response.ok) return response;
  throw await readRefusal(response);
}

async function readRefusal(response: Response): Promise<ApiError> {
  const answer: unknown = await response.json().catch(() => undefined);
  const { code, message } = (answer as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {};
  if (typeof code === "string" && typeof message === "string") return new ApiError(code, message);
  return new ApiError("internal", `The host answered ${response.status}.`);
}

function sessionPath(session: string): string {
  return `/api/sessions/${encodeURIComponent(session)}`;
}

function lanePath({ session, lane }: LanePlace): string {
  return `${sessionPath(session)}/lanes/${encodeURIComponent(lane)}`;
}
