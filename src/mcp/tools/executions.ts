import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { DEFAULT_MAX_BYTES } from "../../exec/index.js";
import type { McpWork } from "../contract.js";
import { findExecution, goesOn, killExecution, listExecutions, startOf, statusOf } from "../executions.js";
import type { FoundExecution } from "../executions.js";
import { readOutput } from "../output/output-page.js";
import type { OutputPage, OutputRequest } from "../output/output-page.js";
import { answering } from "./connection.js";
import type { McpConnection } from "./connection.js";
import { makeResult } from "./results.js";
import * as schemas from "./schemas.js";

const MAX_LISTED = 100;
const MAX_LISTED_COMMAND = 300;

export function registerExecutionTools(server: McpServer, connection: McpConnection): void {
  const { options, places } = connection;
  const { clock } = options;
  const looking = { readOnlyHint: true, openWorldHint: false };
  server.registerTool(
    "bash_list",
    {
      title: "List commands",
      description:
        "Lists commands that run, or ran, newest first: those of this session, and those that an earlier client left running.",
      inputSchema: schemas.listInput,
      outputSchema: schemas.listOutput,
      annotations: looking,
    },
    () => answering(async () => tellList(await options.open())),
  );
  server.registerTool(
    "bash_read",
    {
      title: "Read a command's output",
      description:
        "Gives lines of a command's whole output after a line, while it runs too; with waitMs it waits for them. " +
        "Pass nextAfterLine as afterLine to go on.",
      inputSchema: schemas.outputInput,
      outputSchema: schemas.readOutput,
      annotations: looking,
    },
    ({ id, afterLine = 0, maxBytes = DEFAULT_MAX_BYTES, waitMs = 0 }, { mcpReq }) =>
      answering(async () => {
        const work = await options.open();
        const found = await findExecution(work, id);
        const request: OutputRequest = { afterLine, maxBytes, waitMs };
        return tellPage(
          work,
          found,
          request,
          await readOutput(work, found, request, { places, clock, signal: mcpReq.signal }),
        );
      }),
  );
  server.registerTool(
    "bash_kill",
    {
      title: "End a command",
      description: "Stops a command with all that it started, and names what could not be stopped.",
      inputSchema: schemas.killInput,
      outputSchema: schemas.killOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ id }) => answering(async () => tellKill(await options.open(), id)),
  );
}

async function tellList(work: McpWork): Promise<CallToolResult> {
  const found = await listExecutions(work);
  const executions = found.slice(0, MAX_LISTED).map(describeExecution);
  const more = found.length - executions.length;
  const lines = executions.map(({ id, status, exitCode, command }) => {
    const code = exitCode === null ? "" : ` (exit code ${exitCode})`;
    return `${id}  ${status}${code}  ${command.split("\n")[0]}`;
  });
  if (more > 0) lines.push(`[${more} older ones are not named]`);
  const text = lines.length === 0 ? "[no command runs or ran]" : lines.join("\n");
  return makeResult([text], { executions, more, watch: work.watch });
}

function describeExecution(found: FoundExecution) {
  const { id, session, record, info } = found;
  const startedAt = startOf(found);
  const truncation = record?.view?.truncation;
  return {
    id,
    status: statusOf(found),
    command: (record?.command ?? info?.command ?? "").slice(0, MAX_LISTED_COMMAND),
    cwd: record?.cwd ?? info?.cwd ?? "",
    startedAt: startedAt === 0 ? null : new Date(startedAt).toISOString(),
    exitCode: record?.exitCode ?? null,
    signal: record?.signal ?? null,
    totalLines: truncation?.totalLines ?? null,
    totalBytes: truncation?.totalBytes ?? null,
    spillPath: record?.view?.spillPath ?? null,
    pids: [...(info?.pids ?? [])],
    session,
  };
}

function tellPage(work: McpWork, found: FoundExecution, request: OutputRequest, page: OutputPage): CallToolResult {
  const { now, text, firstLine, lastLine, nextAfterLine, hasMore } = page;
  const { exitCode, signal, status, view } = now;
  const { totalLines = 0, totalBytes = 0 } = view?.truncation ?? {};
  const isOpen = status === "running";
  const progress = (isOpen ? view?.progress : undefined) ?? null;
  const notice = describePage(request, page, totalLines);
  return makeResult([text, progress === null ? "" : `… ${progress}`, notice], {
    text,
    notice,
    id: found.id,
    status,
    exitCode,
    signal,
    firstLine: firstLine ?? null,
    lastLine: lastLine ?? null,
    nextAfterLine,
    hasMore,
    progress,
    totalLines,
    totalBytes,
    spillPath: view?.spillPath ?? null,
    session: found.session,
    watch: work.watch,
  });
}

function describePage({ afterLine }: OutputRequest, page: OutputPage, totalLines: number): string {
  const { now, firstLine, lastLine, nextAfterLine, hasMore, cutLineBytes, missingLines } = page;
  const ended = now.exitCode === null ? now.status : `exit code ${now.exitCode}`;
  const said = [
    firstLine === undefined
      ? `No line after line ${afterLine} of ${totalLines}.`
      : `Lines ${firstLine}-${lastLine} of ${totalLines}.`,
    ...(cutLineBytes === undefined
      ? []
      : [`Only the start of line ${lastLine} is shown, which has ${cutLineBytes} bytes.`]),
    ...(missingLines === undefined ? [] : [`${missingLines} lines before them are not kept.`]),
    ...(hasMore ? [`Go on with afterLine ${nextAfterLine}.`] : []),
    `${ended[0]?.toUpperCase()}${ended.slice(1)}.`,
  ];
  return `[${said.join(" ")}]`;
}

async function tellKill(work: McpWork, id: string): Promise<CallToolResult> {
  const found = await findExecution(work, id);
  const { session, watch } = { session: found.session, watch: work.watch };
  if (!goesOn(found)) {
    const status = statusOf(found);
    return makeResult([`[${id} does not run: ${status}]`], { id, status, survivors: [], session, watch });
  }
  const survivors = [...(await killExecution(work, found)).survivors];
  const words = survivors.map(({ pid, command }) => `process ${pid} (${command}) could not be stopped`);
  const text = `[${id} was stopped${words.length === 0 ? "" : `; ${words.join("; ")}`}]`;
  return makeResult([text], { id, status: "stopped", survivors, session, watch }, { isError: survivors.length > 0 });
}
