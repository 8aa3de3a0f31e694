import type { McpServer } from "@modelcontextprotocol/server";
import { createGrepTool, createReadTool, grepSchema, readSchema } from "../../tools/index.js";
import { readDetails } from "../call-records.js";
import { answering, beginCall, heedCancellation } from "./connection.js";
import type { McpConnection } from "./connection.js";
import { makeResult, textsOf } from "./results.js";
import { fileOutput } from "./schemas.js";

/** Both look at files below the root, and at saved outputs. */
export function registerFileTools(server: McpServer, connection: McpConnection): void {
  const { maxBytes, maxLines } = connection.options;
  const output = { maxBytes, maxLines };
  const read = { title: "Read a file", inputSchema: readSchema, description: createReadTool({ output }).description };
  const grep = { title: "Search files", inputSchema: grepSchema, description: createGrepTool({ output }).description };
  const annotations = { readOnlyHint: true, openWorldHint: false };
  const common = { outputSchema: fileOutput, annotations };
  server.registerTool("read", { ...read, ...common }, (args, context) => callTool(connection, "read", args, context));
  server.registerTool("grep", { ...grep, ...common }, (args, context) => callTool(connection, "grep", args, context));
}

function callTool(
  connection: McpConnection,
  name: "read" | "grep",
  args: object,
  context: Parameters<typeof heedCancellation>[1],
): ReturnType<typeof answering> {
  return answering(async () => {
    const work = await connection.options.open();
    const call = await beginCall(connection, work, name, args);
    using _heeding = heedCancellation(call, context, connection.onClose);
    const entry = await call.settled;
    const { text, notice, images } = textsOf(entry);
    const { totalLines, totalBytes, truncated } = entry.output.truncation;
    const details = readDetails(entry.output.details);
    const { session, watch } = work;
    return makeResult(
      [text, notice],
      { text, notice, details, totalLines, totalBytes, truncated, session, watch },
      { isError: entry.isError, images },
    );
  });
}
