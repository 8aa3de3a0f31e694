import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { McpServerFactory } from "../server.js";
import { refuse } from "./guard.js";

/**
 * Clients of the protocol from before 2026, which shake hands once and then name the session that they were given. With their
 * own session each, so that a client can cancel a call by a message of its own.
 */
export interface HandshakeSessions {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** One that is forgotten begins anew. */
const MAX_SESSIONS = 64;
const SESSION_HEADER = "mcp-session-id";

export function createHandshakeSessions(createServer: McpServerFactory, maxBodyBytes: number): HandshakeSessions {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function begin(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => keep(id),
      onsessionclosed: (id) => void sessions.delete(id),
      maxRequestBodySize: maxBodyBytes,
    });
    const server = createServer("goOn");
    await server.connect(transport);
    let isKept = false;
    const response = await transport.handleRequest(request);
    if (!isKept) await server.close();
    return response;

    function keep(id: string): void {
      isKept = true;
      sessions.set(id, transport);
      for (const [oldest, forgotten] of sessions) {
        if (sessions.size <= MAX_SESSIONS) break;
        sessions.delete(oldest);
        forgotten.close().catch(() => undefined);
      }
    }
  }

  return {
    fetch(request) {
      const id = request.headers.get(SESSION_HEADER);
      if (id === null) return begin(request);
      const transport = sessions.get(id);
      if (transport !== undefined) {
        // The ones that are used are the last to be forgotten.
        sessions.delete(id);
        sessions.set(id, transport);
        return transport.handleRequest(request);
      }
      return Promise.resolve(refuse(404, "session_unknown", "there is no such session; begin one with initialize"));
    },
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      sessions.clear();
    },
  };
}
