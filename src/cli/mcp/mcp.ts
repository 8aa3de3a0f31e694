import { join } from "node:path";
import { createMcpServers, serveMcpHttp, serveMcpStdio } from "../../mcp/index.js";
import type { McpServerFactory } from "../../mcp/index.js";
import type { CliContext } from "../context.js";
import { EXIT_OK } from "../exit-codes.js";
import { describeFailure } from "../failure.js";
import { findPlaces } from "../places.js";
import { nextSignal } from "../signals/next-signal.js";
import { readVersion } from "../version.js";
import { McpSession } from "./mcp-session.js";
import type { McpHttpRequest, McpRequest } from "./request.js";
import { readTokenFile } from "./token-file.js";

/** Serves MCP clients until the one at standard input has gone, or a signal comes, and gives the exit code. */
export async function mcp(request: McpRequest, context: CliContext): Promise<number> {
  const session = new McpSession(request, context);
  await session.openLeft();
  const { limits, root } = request;
  const servers = createMcpServers({
    version: readVersion(),
    root: { path: root, isReadable: () => false },
    maxBytes: limits.maxBytes,
    maxLines: limits.maxLines,
    open: () => session.open(),
    clock: context.clock,
  });
  const stopped = nextSignal(context);
  const served =
    request.http === undefined
      ? await serveStdio(servers, stopped, context)
      : await serveHttp(servers, request.http, stopped, context);
  const { goesOn } = await session.leave();
  if (goesOn) {
    tell(context, "what runs goes on: spillway ps");
    // In good order it would be ended with the session.
    return context.exit(EXIT_OK);
  }
  await served.close();
  return EXIT_OK;
}

/** Clients that were served; to close it cuts those that are still there. */
interface Served {
  close(): Promise<void>;
}

/** Resolves when the client has gone, or a signal came. */
async function serveStdio(servers: McpServerFactory, stopped: Promise<unknown>, context: CliContext): Promise<Served> {
  const { stdin, stdout } = context.signals;
  // A client has a pipe there; a person would wait for nothing.
  if (stdin.isTTY) tell(context, "an MCP client is waited for at standard input; spillway mcp --help has its settings");
  const server = serveMcpStdio(servers, { stdin, stdout, onFault: (error) => tellFault(error, context) });
  await Promise.race([server.gone, stopped]);
  return {
    async close() {
      await server.close();
      // It would keep the process alive.
      stdin.destroy();
    },
  };
}

/** Resolves when a signal came. */
async function serveHttp(
  servers: McpServerFactory,
  { port, tokenFile }: McpHttpRequest,
  stopped: Promise<unknown>,
  context: CliContext,
): Promise<Served> {
  const path = tokenFile ?? join(findPlaces(context).state, "mcp-token");
  const token = readTokenFile(path);
  const server = await serveMcpHttp(servers, { token, port, onFault: (error) => tellFault(error, context) });
  tell(context, `MCP is served at ${server.url}, for whoever sends the token of ${path}`);
  // A file of logs is not where a token belongs.
  if (context.stderr.isTTY === true) context.stderr.write(`Authorization: Bearer ${token}\n`);
  await stopped;
  return server;
}

function tellFault(error: Error, context: CliContext): void {
  tell(context, `a client could not be served: ${describeFailure(error).message}`);
}

function tell({ stderr }: CliContext, text: string): void {
  stderr.write(`spillway: ${text}\n`);
}
