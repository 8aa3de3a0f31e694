import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { ConnectionError, refusal } from "./client/index.js";
import type { Connection } from "./client/index.js";
import { isWireErrorCode, WireError } from "./errors.js";

/** Where a server listens, and the token for it. */
export type WireTarget = { readonly token: string } & (
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number }
);

/** How long an answer to a request other than a stream may take to begin. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** Bytes of an answer that is read whole. */
const MAX_ANSWER_BYTES = 160 * 1_048_576;
const MAX_REFUSAL_BYTES = 10_000;

/** A connection to a facet's stream, for `follow`. */
export function connectToStream(target: WireTarget, path: string): Connection {
  const controller = new AbortController();
  return {
    close: () => controller.abort(),
    [Symbol.asyncIterator]: () => readBody(target, path, controller.signal),
  };
}

async function* readBody(
  target: WireTarget,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const answer = await send(target, path, { signal, headers: { accept: "text/event-stream" } });
  if (answer.statusCode !== 200) {
    throw refusal(answer.statusCode ?? 0, await readText(answer, MAX_REFUSAL_BYTES));
  }
  yield* answer as AsyncIterable<Buffer>;
}

export interface WireRequest {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks a server and gives its answer once it is a good one. Throws the server's own {@link WireError}, or `unavailable`. */
export async function ask(target: WireTarget, path: string, wish: WireRequest = {}): Promise<IncomingMessage> {
  const answer = await sendBriefly(target, path, wish);
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status < 300) return answer;
  throw toWireError(status, await readText(answer, MAX_REFUSAL_BYTES));
}

/** As {@link ask}, for an answer of JSON. Gives undefined where the server has not what was asked for. */
export async function askJson(target: WireTarget, path: string, wish: WireRequest = {}): Promise<unknown> {
  try {
    return JSON.parse(await readText(await ask(target, path, wish), MAX_ANSWER_BYTES));
  } catch (error) {
    if (error instanceof WireError && error.code === "not_found") return undefined;
    if (error instanceof WireError) throw error;
    throw new WireError("unavailable", `the answer to ${path} is not to be read: ${String(error)}`, { cause: error });
  }
}

async function sendBriefly(target: WireTarget, path: string, wish: WireRequest): Promise<IncomingMessage> {
  const body = wish.body === undefined ? undefined : JSON.stringify(wish.body);
  try {
    return await send(
      target,
      path,
      {
        method: wish.method ?? "GET",
        headers: { ...wish.headers, ...(body !== undefined && { "content-type": "application/json" }) },
        timeoutMs: ANSWER_TIMEOUT_MS,
      },
      body,
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WireError("unavailable", `the session's process does not answer: ${reason}`, { cause });
  }
}

interface SendOptions {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Until the answer begins; none by default. */
  readonly timeoutMs?: number;
}

async function send(target: WireTarget, path: string, options: SendOptions, body?: string): Promise<IncomingMessage> {
  const { method = "GET", headers, signal, timeoutMs = 0 } = options;
  const authorization = `Bearer ${target.token}`;
  const place = "socketPath" in target ? { socketPath: target.socketPath } : { host: target.host, port: target.port };
  const host = "socketPath" in target ? { host: "localhost" } : {};
  return await new Promise((resolve, reject) => {
    const outgoing = request({
      ...place,
      path,
      method,
      headers: { ...host, ...headers, authorization },
      timeout: timeoutMs,
      ...(signal !== undefined && { signal }),
      // A connection of its own, which ends with what it was made for.
      agent: false,
    });
    outgoing.once("response", (answer) => {
      outgoing.setTimeout(0);
      resolve(answer);
    });
    outgoing.on("error", reject);
    outgoing.once("timeout", () => outgoing.destroy(new ConnectionError("silent", `no answer within ${timeoutMs} ms`)));
    outgoing.end(body);
  });
}

async function readText(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new WireError("unavailable", `an answer has more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function toWireError(status: number, text: string): WireError {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } };
    if (isWireErrorCode(error?.code)) return new WireError(error.code, String(error.message));
  } catch {
    // Not one of our answers: said as it is below.
  }
  return new WireError("unavailable", `the session's process answered ${status}`);
}
