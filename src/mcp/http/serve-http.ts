import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { McpError } from "../errors.js";
import type { McpServerFactory } from "../server.js";
import { MCP_PATH, refuseHead } from "./guard.js";
import { createHandshakeSessions } from "./handshake-sessions.js";

export interface McpHttpOptions {
  /** Whoever has it can run commands. */
  readonly token: string;
  /** Default one that is free. */
  readonly port?: number | undefined;
  readonly onFault: (error: Error) => void;
}

export interface McpHttpServer {
  /** Such as `http://127.0.0.1:4711/mcp`. */
  readonly url: string;
  /** Takes no more requests and cuts those that wait; what they run goes on. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 1_048_576;

/** Serves any number of clients on loopback. @throws {McpError} `listen_failed` */
export async function serveMcpHttp(
  createServer: McpServerFactory,
  { token, port = 0, onFault }: McpHttpOptions,
): Promise<McpHttpServer> {
  const hosts = new Set<string>();
  // These clients have no other way to cancel a call than to close its connection.
  const handler = createMcpHandler(() => createServer("stop"), {
    legacy: "reject",
    onerror: onFault,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  const handshakes = createHandshakeSessions(createServer, MAX_BODY_BYTES);
  const server = createAdaptorServer({
    fetch: async (request: Request) => {
      const refusal = refuseHead(request, { token, hosts });
      if (refusal !== undefined) return refusal;
      const isHandshake = await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY_BYTES });
      return isHandshake ? handshakes.fetch(request) : handler.fetch(request);
    },
    serverOptions: { headersTimeout: 10_000 },
    // The global Request and Response stay what they are.
    overrideGlobalObjects: false,
  }) as Server;
  await listen(server, port);
  const bound = (server.address() as AddressInfo).port;
  for (const name of [HOST, "localhost"]) hosts.add(`${name}:${bound}`);
  return {
    url: `http://${HOST}:${bound}${MCP_PATH}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new McpError("listen_failed", `cannot listen on ${HOST}:${port}: ${cause.message}`, { cause }));
    });
    server.listen({ host: HOST, port, exclusive: true }, resolve);
  });
}
