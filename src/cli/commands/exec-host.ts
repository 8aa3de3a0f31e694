import { join, resolve } from "node:path";
import { Command } from "commander";
import { connectHostSocket, hostPlaces, serveStdio, relayStdio, startDaemon, startDetached } from "../../exec/index.js";
import type { DetachedProgram } from "../../exec/index.js";
import type { CliContext } from "../context.js";
import { CliError } from "../failure.js";
import { parseDuration } from "../options/duration.js";
import { parsing } from "../options/parsing.js";
import { findPlaces } from "../places.js";
import { keepUnsettled } from "../session/session-env.js";
import { EXEC_HOST } from "../session/exec-host-start.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
With --stdio alone it serves whoever holds its streams, and what runs ends with them. With
--socket it serves many, keeps what runs when they go, and there is one for each folder.
With both it carries its streams to the one on the socket, which is started if need be.

Examples:
  spillway exec-host --socket --idle-exit 10m
  ssh host spillway exec-host --stdio --socket
`;

interface ExecHostFlags {
  readonly stdio?: true;
  readonly socket?: string | true;
  readonly root?: string;
  readonly idleExit?: number;
}

/** `spillway exec-host` */
export const execHostCommand: CommandDefinition = ({ context }) =>
  new Command("exec-host")
    .description("run commands for clients that come and go; speaks the protocol of spec/exec-protocol.md")
    .option("--stdio", "serve on standard input and output")
    .option("--socket [path]", "serve on a socket; by default in the user's runtime folder")
    .option("--root <folder>", "where spills and what the host says of itself lie; by default the state folder")
    .option("--idle-exit <duration>", "end when there was nothing to do for so long", parsing(parseDuration))
    .addHelpText("after", DETAILS)
    .action((flags: ExecHostFlags) => runExecHost(flags, context));

async function runExecHost(flags: ExecHostFlags, context: CliContext): Promise<void> {
  const places = findPlaces(context);
  const root = flags.root === undefined ? places.state : resolve(context.cwd, flags.root);
  const { environment, cwd, clock, random, signals: process } = context;
  const options = { cwd, environment, clock, random, sweep: { findKept: () => keepUnsettled(join(root, "sessions")) } };
  if (flags.stdio === true && flags.socket === undefined) {
    await serveStdio({ ...options, spillRoot: join(root, "spill") }, process);
  } else if (flags.socket === undefined) {
    throw new CliError("bad_usage", "say how clients reach it: --stdio, --socket, or both");
  } else if (flags.stdio === true) {
    const start = (): Promise<DetachedProgram> =>
      startDetached({ words: daemonWords(context, root), environment, logPath: hostPlaces(root).log });
    await relayStdio(await connectHostSocket({ root, start, clock }), process);
  } else {
    const socketPath = flags.socket === true ? places.socket(EXEC_HOST) : resolve(cwd, flags.socket);
    const idleExitMs = flags.idleExit === undefined ? undefined : flags.idleExit * 1_000;
    const daemon = await startDaemon({ ...options, root, socketPath, idleExitMs });
    if (daemon === undefined) context.stderr.write(`spillway: ${root} has an exec host already\n`);
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void daemon?.close());
    await daemon?.ended;
  }
}

/** The same command without `--stdio`, to be run apart from this process. */
function daemonWords({ argv, signals }: CliContext, root: string): readonly [string, ...string[]] {
  const rest = argv.filter((word) => word !== "--stdio");
  return [signals.execPath, ...signals.execArgv, signals.argv[1] ?? "", ...rest, "--root", root];
}
