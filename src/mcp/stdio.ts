import type { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { McpServerFactory } from "./server.js";

export interface McpStdioOptions {
  readonly stdin: Readable;
  /** Nothing else may write to it. */
  readonly stdout: Writable;
  readonly onFault: (error: Error) => void;
}

/** Most bytes of a message of the client. */
const MAX_MESSAGE_BYTES = 4_194_304;

export interface McpStdioServer {
  /** Resolves when the client has gone. What its calls run goes on. */
  readonly gone: Promise<void>;
  close(): Promise<void>;
}

/** Serves the one client at the other end. */
export function serveMcpStdio(
  createServer: McpServerFactory,
  { stdin, stdout, onFault }: McpStdioOptions,
): McpStdioServer {
  const gone = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    // A pipe whose reader has gone is told by a failed write alone.
    for (const event of ["close", "error"]) stdout.once(event, () => resolve());
  });
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const served = serveStdio(() => createServer("goOn"), { transport, onerror: onFault });
  return { gone, close: () => served.close() };
}
