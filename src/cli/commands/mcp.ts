import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "../../exec/index.js";
import { CliError } from "../failure.js";
import type { McpRequest } from "../mcp/request.js";
import { toEnvKind, toSandbox } from "../options/confinement.js";
import type { ConfinementOptions } from "../options/confinement.js";
import { collectFolders, findFolder } from "../options/folder.js";
import { parsing } from "../options/parsing.js";
import { parsePort } from "../options/port.js";
import { parseSessionId } from "../options/session-id.js";
import { collectVariable } from "../options/variable.js";
import { parseWindowBytes, parseWindowLines } from "../options/window.js";
import type { CommandDefinition, CommandSetup } from "./setup.js";

const DETAILS = `
Tools: bash, bash_list, bash_read, bash_kill, read, grep. What a client calls is run
without asking: clients ask their own users. --root bounds what read and grep show and
where commands begin; what commands can touch is bounded by --sandbox alone.

A client that goes away ends nothing. The next one with the same root finds what
runs by bash_list, and goes on with its session.

Examples:
  claude mcp add spillway -- spillway mcp
  spillway mcp --root ~/project --sandbox --no-network
  spillway mcp --http --port 4712
`;

/** `spillway mcp` */
export const mcpCommand: CommandDefinition = (setup) =>
  new Command("mcp")
    .description("serve bash, read and grep to other agents, as an MCP server on standard input and output")
    .option("--root <folder>", "the folder that clients see; by default the current one", (folder) =>
      findFolder(setup.context.cwd, folder),
    )
    .option("--session <id>", "go on with this session, or begin it", parsing(parseSessionId))
    .option(
      "--sandbox",
      "run commands under bubblewrap: they change files below the root and in a /tmp of their own alone",
    )
    .option("--no-network", "with --sandbox: without the machine's network")
    .option(
      "--writable <folder>",
      "with --sandbox: a folder that they may change too; may be repeated",
      collectFolders(setup.context.cwd),
    )
    .option(
      "--env <name>",
      "let a withheld variable through, such as a provider's key; may be repeated",
      parsing(collectVariable),
    )
    .option("--in-process", "run commands in this process, so that they end when it does")
    .option("--max-bytes <count>", "most bytes of text in a result", parsing(parseWindowBytes), DEFAULT_MAX_BYTES)
    .option("--max-lines <count>", "most lines of text in a result", parsing(parseWindowLines), DEFAULT_MAX_LINES)
    .option("--web", "serve the page that shows the calls on loopback; results say where")
    .option("--http", "serve over HTTP on loopback, for whoever has the token")
    .option("--port <number>", "the port of --http; any that is free by default", parsing(parsePort))
    .option("--token-file <file>", "where the token of --http lies, or is to; by default in the state folder")
    .addHelpText("after", DETAILS)
    .action(async (options: McpOptions) => {
      const request = toRequest(options, setup);
      const { mcp } = await import("../mcp/mcp.js");
      setup.finish(await mcp(request, setup.context));
    });

interface McpOptions extends ConfinementOptions {
  readonly root?: string;
  readonly session?: string;
  readonly env?: readonly string[];
  readonly maxBytes: number;
  readonly maxLines: number;
  readonly web?: true;
  readonly http?: true;
  readonly port?: number;
  readonly tokenFile?: string;
}

function toRequest(options: McpOptions, { context, words }: CommandSetup): McpRequest {
  if (words !== undefined) throw badUse("mcp takes no command; its clients state them");
  const { http, port, tokenFile } = options;
  if (http !== true && port !== undefined) throw badUse("--port is the port of --http; add --http");
  if (http !== true && tokenFile !== undefined) throw badUse("--token-file is a part of --http; add --http");
  const token = tokenFile === undefined ? undefined : resolve(context.cwd, tokenFile);
  return {
    session: options.session,
    root: realpathSync(options.root ?? context.cwd),
    env: toEnvKind(options, context),
    limits: { retain: "tail", maxBytes: options.maxBytes, maxLines: options.maxLines },
    sandbox: toSandbox(options),
    passedVariables: options.env ?? [],
    http: http === true ? { port: port ?? 0, tokenFile: token } : undefined,
    hasPage: options.web === true,
  };
}

function badUse(message: string): CliError {
  return new CliError("bad_usage", message);
}
