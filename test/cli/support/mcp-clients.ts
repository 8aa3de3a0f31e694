import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { repository } from "../../support/files.js";
import type { CliStage } from "./built-cli.js";

/** A client of either SDK, over either transport. */
export interface McpClient extends AsyncDisposable {
  /** The structured content of a call, or the words of a failure. */
  call(name: string, args?: object, options?: CallOptions): Promise<Fields>;
  toolNames(): Promise<string[]>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string | undefined }) => void;
}

export interface Fields {
  readonly [field: string]: unknown;
}

export interface McpOptions {
  readonly hosted?: boolean;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export type ConnectMcp = (stage: CliStage, options?: McpOptions) => Promise<McpClient>;

export const program = join(repository, "dist", "bin", "spillway.js");

export function mcpWords({ args = [] }: McpOptions = {}): [program: string, ...args: string[]] {
  return [process.execPath, program, "mcp", ...args];
}

export function mcpEnvironment(
  { home }: CliStage,
  { hosted = false, env = {} }: McpOptions = {},
): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const own = { SPILLWAY_HOME: join(home, "state"), SPILLWAY_IN_PROCESS: hosted ? "" : "1" };
  return { ...Object.fromEntries(inherited), ...own, ...env };
}

const identity = { name: "test", version: "0" };

export const overStdio: ConnectMcp = async (stage, options) => {
  const client = new Client(identity);
  await client.connect(new StdioClientTransport(stdioOf(stage, options)));
  return newClient(client, () => client.close());
};

/** The same client, in the protocol's revision of 2026. */
export const overModernStdio: ConnectMcp = async (stage, options) => {
  const client = new Client(identity, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StdioClientTransport(stdioOf(stage, options)));
  return newClient(client, () => client.close());
};

export const overOldStdio: ConnectMcp = async (stage, options) => {
  const client = new OldClient(identity);
  await client.connect(new OldStdioTransport(stdioOf(stage, options)));
  return oldClient(client, () => client.close());
};

export const overHttp: ConnectMcp = async (stage, options) => {
  const server = await startHttp(stage, options);
  const client = new Client(identity, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), server.options));
  return newClient(client, async () => {
    await client.close();
    await server.stop();
  });
};

export const overOldHttp: ConnectMcp = async (stage, options) => {
  const server = await startHttp(stage, options);
  const client = new OldClient(identity);
  const transport = new OldHttpTransport(new URL(server.url), server.options);
  await client.connect(transport);
  return oldClient(client, async () => {
    await transport.terminateSession();
    await client.close();
    await server.stop();
  });
};

export interface HttpServer {
  readonly url: string;
  readonly options: { readonly requestInit: { readonly headers: Record<string, string> } };
  /** What it said on standard error. */
  readonly said: () => string;
  stop(): Promise<void>;
}

/** `spillway mcp --http`, once it listens. */
export async function startHttp(stage: CliStage, options: McpOptions = {}): Promise<HttpServer> {
  const words = mcpWords({ args: ["--http", ...(options.args ?? [])] });
  const server = spawn(words[0], words.slice(1), { cwd: stage.home, env: mcpEnvironment(stage, options) });
  let said = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const found = /http:\S+\/mcp/.exec(said);
      if (found !== null) resolve(found[0]);
    };
    server.stderr.on("data", look);
    server.once("close", () => reject(new Error(`it ended: ${said}`)));
  });
  const token = readFileSync(join(stage.home, "state", "mcp-token"), "utf8").trim();
  return {
    url,
    options: { requestInit: { headers: { Authorization: `Bearer ${token}` } } },
    said: () => said,
    stop() {
      server.kill("SIGTERM");
      return ended;
    },
  };
}

function stdioOf(stage: CliStage, options: McpOptions = {}) {
  const [command, ...args] = mcpWords(options);
  return { command, args, cwd: stage.home, env: mcpEnvironment(stage, options), stderr: "ignore" as const };
}

function newClient(client: Client, close: () => Promise<void>): McpClient {
  return {
    call: async (name, args = {}, options = {}) =>
      fieldsOf(await client.callTool({ name, arguments: { ...args } }, options)),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    [Symbol.asyncDispose]: close,
  };
}

function oldClient(client: OldClient, close: () => Promise<void>): McpClient {
  return {
    call: async (name, args = {}, options = {}) =>
      fieldsOf(await client.callTool({ name, arguments: { ...args } }, undefined, options)),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    [Symbol.asyncDispose]: close,
  };
}

function fieldsOf(result: object): Fields {
  const { structuredContent, content } = { structuredContent: undefined, content: undefined, ...result };
  return { ...Object(structuredContent ?? { failure: JSON.stringify(content) }) };
}
