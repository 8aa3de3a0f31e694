import { Command, Option } from "commander";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, resolveCaps } from "../../exec/index.js";
import type { Retain } from "../../exec/index.js";
import { CliError } from "../failure.js";
import { toEnvKind, toSandbox } from "../options/confinement.js";
import type { ConfinementOptions } from "../options/confinement.js";
import { parseEncoding } from "../options/encoding.js";
import { parseDuration } from "../options/duration.js";
import { collectFolders, findFolder } from "../options/folder.js";
import { parsing } from "../options/parsing.js";
import { parsePort } from "../options/port.js";
import { parseSessionId } from "../options/session-id.js";
import { toShows } from "../options/shows.js";
import type { ShowsOptions } from "../options/shows.js";
import { collectVariable } from "../options/variable.js";
import { parseWindowBytes, parseWindowLines } from "../options/window.js";
import { toShellText } from "../run/shell-text.js";
import type { RunRequest } from "../run/request.js";
import type { CommandDefinition, CommandSetup } from "./setup.js";

const DETAILS = `
One argument after -- is shell text, several are quoted one by one. The shell is
bash, else sh.

The command runs in an exec host, which is started when it is needed: should this
spillway be killed, the command goes on, and spillway resume takes it up again. With
--in-process, or SPILLWAY_IN_PROCESS=1 in the environment, it ends with this process.

Exit codes: the command's own; 128 + n when signal n ended it; 124 when --timeout
did; 126 and 127 as a shell has them; 125 when spillway itself failed; 130 after
Ctrl-C, which stops the command and settles (a second one leaves at once).

Examples:
  spillway run -- make -j8
  spillway run --timeout 5m --max-lines 200 -- 'npm test 2>&1 | tee test.log'
  spillway run --sandbox --no-network -- ./untrusted.sh
  spillway run --json -- cargo build | jq -c 'select(.type == "report")'
`;

/** `spillway run [options] -- COMMAND…` */
export const runCommand: CommandDefinition = (setup) =>
  new Command("run")
    .usage("[options] -- COMMAND…")
    .description("run a command through every layer: live on the screen, bounded in memory, whole in a file")
    .addOption(
      new Option("--retain <end>", "which end of long output the window keeps, or both: a fifth from the start")
        .choices(["tail", "head", "both"])
        .default("tail"),
    )
    .option(
      "--max-bytes <count>",
      "most bytes of text that the window holds",
      parsing(parseWindowBytes),
      DEFAULT_MAX_BYTES,
    )
    .option("--max-lines <count>", "most lines that the window holds", parsing(parseWindowLines), DEFAULT_MAX_LINES)
    .option(
      "--encoding <label>",
      "the encoding in which the command prints, such as gbk; UTF-8 by default",
      parsing(parseEncoding),
    )
    .option("--timeout <time>", "stop the command after so long: 90 or 90s, 5m, 2h", parsing(parseDuration))
    .option("--session <id>", "go on with a session instead of beginning one", parsing(parseSessionId))
    .option("--cwd <folder>", "the folder that the command runs in", (folder) => findFolder(setup.context.cwd, folder))
    .option(
      "--env <name>",
      "let a withheld variable through, such as a provider's key; may be repeated",
      parsing(collectVariable),
    )
    .option("--in-process", "run the command in this process, so that it ends when this one does")
    .option("--sandbox", "run it under bubblewrap: it changes files below its folder and in a /tmp of its own alone")
    .option("--no-network", "with --sandbox: without the machine's network")
    .option(
      "--writable <folder>",
      "with --sandbox: a folder that it may change too; may be repeated",
      collectFolders(setup.context.cwd),
    )
    .option("--web", "serve the page that shows the run on loopback, and print its address")
    .option("--port <number>", "the port of --web; any that is free by default", parsing(parsePort))
    .option("--json", "print one JSON object a line: open, every batch as on the wire, report, error")
    .option("--quiet", "print nothing but the final text and notice")
    .addHelpText("after", DETAILS)
    .action(async (options: RunOptions) => {
      const request = toRequest(options, setup);
      // The layers below are loaded when they are needed, so that help and bad use are answered at once.
      const { run } = await import("../run/run.js");
      setup.finish(await run(request, setup.context));
    });

interface RunOptions extends ShowsOptions, ConfinementOptions {
  readonly retain: Retain;
  readonly maxBytes: number;
  readonly maxLines: number;
  readonly encoding?: string;
  readonly timeout?: number;
  readonly session?: string;
  readonly cwd?: string;
  readonly env?: readonly string[];
  readonly web?: true;
  readonly port?: number;
}

function toRequest(options: RunOptions, { context, words }: CommandSetup): RunRequest {
  const command = toShellText(words ?? []);
  if (command.trim() === "") {
    const problem = words === undefined || words.length === 0 ? "missing" : "empty";
    throw badUse(`the command to run is ${problem}; put it after --, such as: spillway run -- make -j8`);
  }
  const shows = toShows(options);
  if (options.port !== undefined && options.web !== true) throw badUse("--port is the port of --web; add --web");
  return {
    session: options.session,
    command,
    limits: toLimits(options),
    encoding: options.encoding,
    timeoutSeconds: options.timeout,
    cwd: options.cwd ?? context.cwd,
    env: toEnvKind(options, context),
    passedVariables: options.env ?? [],
    sandbox: toSandbox(options),
    port: options.web === true ? (options.port ?? 0) : undefined,
    shows,
  };
}

/** With both ends kept there has to be room for each. */
function toLimits({ retain, maxBytes, maxLines }: RunOptions): RunRequest["limits"] {
  try {
    return resolveCaps({ retain, maxBytes, maxLines });
  } catch (cause) {
    throw badUse(`with --retain ${retain}, ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function badUse(message: string): CliError {
  return new CliError("bad_usage", message);
}
