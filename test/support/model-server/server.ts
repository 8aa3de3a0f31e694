import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chatFrames } from "./chat-dialect.js";
import type { Dialect } from "./frames.js";
import { messagesFrames } from "./messages-dialect.js";
import { responsesFrames } from "./responses-dialect.js";
import type { Step, Turn } from "./turn.js";

export interface ModelServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4711/v1`. */
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
  /** Connections that a client has broken off while it was being answered. */
  readonly brokenOff: number;
  /** What is done with the requests to come, in their order. */
  add(...turns: readonly Turn[]): void;
  readonly close: () => Promise<void>;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** JSON as it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ModelServerOptions {
  /** Code units of text in one event. Default 7, so that characters are cut. */
  readonly pieceLength?: number;
}

const dialects: Readonly<Record<string, Dialect>> = {
  "/v1/messages": messagesFrames,
  "/v1/responses": responsesFrames,
  "/v1/chat/completions": chatFrames,
};

/** A provider on this machine that speaks all three dialects, and fails in the ways that it is told to. */
export async function startModelServer({ pieceLength = 7 }: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  const turns: Turn[] = [];
  const state = { brokenOff: 0 };
  const server = createServer((request, response) => {
    response.on("close", () => {
      if (!response.writableEnded) state.brokenOff += 1;
    });
    receive(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    get brokenOff() {
      return state.brokenOff;
    },
    add: (...more) => void turns.push(...more),
    close,
    [Symbol.asyncDispose]: close,
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const body = JSON.parse(await readBody(request)) as ReceivedRequest["body"];
    requests.push({ path, headers: request.headers as ReceivedRequest["headers"], body });
    const turn = turns.shift();
    const dialect = dialects[path];
    if (turn === undefined || dialect === undefined)
      return refuse(response, { status: 404, body: { error: `no ${path}` } });
    if ("status" in turn) return refuse(response, turn);
    const frames = dialect(turn.answer, pieceLength);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const end: Step = turn.answer.hangs === true ? "stall" : "end";
    for (const step of turn.alter?.(frames) ?? [...frames.map((send) => ({ send })), end]) {
      if (!(await perform(step, response))) return;
    }
    response.end();
  }
}

/** Whether the response goes on. */
async function perform(step: Step, response: ServerResponse): Promise<boolean> {
  if (step === "end") response.end();
  if (step === "cut") response.socket?.resetAndDestroy();
  if (typeof step === "string") return false;
  if ("waitMs" in step) await new Promise((resolve) => setTimeout(resolve, step.waitMs));
  else await new Promise((resolve) => response.write(step.send, resolve));
  return !response.destroyed;
}

function refuse(response: ServerResponse, turn: Extract<Turn, { status: number }>): void {
  const isText = typeof turn.body === "string";
  response.writeHead(turn.status, { "content-type": isText ? "text/html" : "application/json", ...turn.headers });
  response.end(isText ? turn.body : JSON.stringify(turn.body ?? {}));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
