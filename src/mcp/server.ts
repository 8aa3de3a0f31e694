import { McpServer } from "@modelcontextprotocol/server";
import type { McpServerOptions } from "./contract.js";
import { registerBash } from "./tools/bash.js";
import { createShared } from "./tools/connection.js";
import type { OnClose } from "./tools/connection.js";
import { registerExecutionTools } from "./tools/executions.js";
import { registerFileTools } from "./tools/files.js";

/** Makes the server's side of each connection; all of them work in one session. */
export type McpServerFactory = (onClose: OnClose) => McpServer;

export function createMcpServers(options: McpServerOptions): McpServerFactory {
  const shared = createShared(options);
  return (onClose) => {
    const server = new McpServer(
      { name: "spillway", title: "spillway", version: options.version },
      { capabilities: { tools: { listChanged: false } }, instructions: describeServer(options) },
    );
    const connection = { ...shared, onClose };
    registerBash(server, connection);
    registerExecutionTools(server, connection);
    registerFileTools(server, connection);
    return server;
  };
}

function describeServer({ root }: McpServerOptions): string {
  return (
    `Commands run in ${root.path}, and their output is bounded: when it is long the text has its end, and a file has all of it. ` +
    "A command that takes long is best run with background and followed with bash_read and waitMs."
  );
}
