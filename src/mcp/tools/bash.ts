import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import type { DirectCall } from "../../harness/index.js";
import type { ToolEntry } from "../../protocol/index.js";
import { bashInput } from "../bash-tool.js";
import { readDetails } from "../call-records.js";
import type { CallRecord } from "../call-records.js";
import type { McpWork } from "../contract.js";
import { answering, beginCall, heedCancellation } from "./connection.js";
import type { McpConnection } from "./connection.js";
import { tellProgress } from "./progress.js";
import { makeResult, textsOf } from "./results.js";
import { bashOutput } from "./schemas.js";

export function registerBash(server: McpServer, connection: McpConnection): void {
  const { options } = connection;
  const config = {
    title: "Run a command",
    description: describeTool(options.maxBytes, options.maxLines),
    inputSchema: bashInput,
    outputSchema: bashOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  };
  server.registerTool("bash", config, (args, context) =>
    answering(async () => {
      const work = await options.open();
      const call = await beginCall(connection, work, "bash", args);
      using _heeding = heedCancellation(call, context, connection.onClose);
      using _telling = tellProgress(work.records, call.toolCallId, context);
      const begun = args.background === true ? await whenBegun(work, call) : undefined;
      return begun === undefined ? tellEnd(work, await call.settled) : tellBegun(work, begun);
    }),
  );
}

function describeTool(maxBytes: number, maxLines: number): string {
  return (
    "Runs a command in bash and gives what it prints to standard output and standard error, in the order of arrival: " +
    `the end of it, at most ${maxBytes} bytes and ${maxLines} lines, with the totals of all. Longer output is saved whole to a file, ` +
    "which bash_read, read and grep look into. A person can watch it. With background it returns at once; " +
    "what runs goes on when the client is gone, and bash_list finds it again."
  );
}

/** The execution, once its plan is fixed; undefined where the call ended without one. */
async function whenBegun({ records }: McpWork, call: DirectCall): Promise<CallRecord | undefined> {
  const over = new AbortController();
  const end = (): void => over.abort();
  call.settled.then(end, end);
  for (;;) {
    const change = records.changed(over.signal);
    const record = records.get(call.toolCallId);
    if (record?.executionId !== undefined) return record;
    if (over.signal.aborted) return undefined;
    await change;
  }
}

function tellBegun({ session, watch }: McpWork, { executionId = "", view }: CallRecord): CallToolResult {
  const notice = `[${executionId} runs in the background; bash_read gives its output, bash_kill ends it. To watch it: ${watch}]`;
  return makeResult([notice], {
    text: "",
    notice,
    id: executionId,
    status: "running",
    exitCode: null,
    signal: null,
    durationMs: null,
    totalLines: view?.truncation.totalLines ?? 0,
    totalBytes: view?.truncation.totalBytes ?? 0,
    truncated: false,
    spillPath: null,
    session,
    watch,
  });
}

function tellEnd({ session, watch }: McpWork, entry: ToolEntry): CallToolResult {
  const { text, notice } = textsOf(entry);
  const { isError, output, stopped } = entry;
  const { totalLines, totalBytes, truncated } = output.truncation;
  const details = readDetails(output.details);
  const { executionId: id = null, exitCode = null, signal = null, durationMs = null, spillPath = null } = details;
  const status = details.status ?? (stopped === "interrupted" ? "interrupted" : "failed");
  const took = durationMs === null ? "" : ` in ${(durationMs / 1_000).toFixed(1)} s`;
  const ended = exitCode === null ? status : `exit code ${exitCode}`;
  const line = `[${ended}${took}; ${totalLines} lines, ${totalBytes} bytes; ${id ?? "not run"}. To watch: ${watch}]`;
  return makeResult(
    [text, notice, line],
    {
      text,
      notice,
      id,
      status,
      exitCode,
      signal,
      durationMs,
      totalLines,
      totalBytes,
      truncated,
      spillPath,
      session,
      watch,
    },
    { isError },
  );
}
