import { Command, CommanderError } from "commander";
import { approveCommand } from "./commands/approve.js";
import { askCommand } from "./commands/ask.js";
import { attachCommand } from "./commands/attach.js";
import { catCommand } from "./commands/cat.js";
import { compactCommand } from "./commands/compact.js";
import { exportCommand } from "./commands/export.js";
import { execHostCommand } from "./commands/exec-host.js";
import { killCommand } from "./commands/kill.js";
import { mcpCommand } from "./commands/mcp.js";
import { psCommand } from "./commands/ps.js";
import { removeCommand } from "./commands/remove.js";
import { repairCommand } from "./commands/repair.js";
import { resumeCommand } from "./commands/resume.js";
import { runCommand } from "./commands/run.js";
import { serveCommand } from "./commands/serve.js";
import { sessionsCommand } from "./commands/sessions.js";
import { showCommand } from "./commands/show.js";
import { verifyCommand } from "./commands/verify.js";
import type { CommandDefinition, CommandSetup } from "./commands/setup.js";
import type { CliContext } from "./context.js";
import { EXIT_BAD_USE, EXIT_NOT_COMPLETED, EXIT_OK, EXIT_OWN_FAILURE } from "./exit-codes.js";
import { CliError, describeFailure } from "./failure.js";
import { printableText } from "./terminal/printable.js";
import { readVersion } from "./version.js";

/** In the order of the help. */
const COMMANDS: readonly CommandDefinition[] = [
  runCommand,
  askCommand,
  attachCommand,
  approveCommand,
  serveCommand,
  resumeCommand,
  sessionsCommand,
  showCommand,
  catCommand,
  psCommand,
  killCommand,
  exportCommand,
  verifyCommand,
  repairCommand,
  compactCommand,
  removeCommand,
  mcpCommand,
  execHostCommand,
];

const MISSING_COMMAND = "name a command of spillway before --, such as: spillway run -- make -j8";

const EXAMPLES = `
Examples:
  spillway run -- make -j8        watch a build live, keep all of its output
  spillway run --timeout 5m -- 'npm test | tee log'
  spillway ask "what is slow?"    a model that works here, and asks you before it acts
  spillway sessions               what has been run, and how it ended
  spillway attach                 watch from another terminal what one runs
  spillway approve                what waits for someone's decision
  spillway serve                  all sessions in a browser
  spillway resume                 take up what a killed spillway left
  spillway ps                     what goes on, also where nobody watches it
  spillway run --help             every option of run
`;

/** Runs the command that the arguments name and gives the exit code. What it cannot do, it says on standard error. */
export async function runCli(context: CliContext): Promise<number> {
  const { own, words } = splitAtDashes(context.argv);
  let exitCode = EXIT_OK;
  const setup: CommandSetup = { context, words, finish: (code) => (exitCode = code) };
  survivePipes(context);
  try {
    checkPlatform(context.platform);
    if (own.length === 0 && words !== undefined) throw new CliError("bad_usage", MISSING_COMMAND);
    await createProgram(setup).parseAsync(own.length === 0 ? ["--help"] : own, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_OK;
    const command = own.find((argument) => !argument.startsWith("-"));
    tellFailure(error, setup, command, own.includes("--json"));
    return exitCodeOf(error, command);
  }
}

function exitCodeOf(error: unknown, command: string | undefined): number {
  if (command === "run" || command === "ask") return EXIT_OWN_FAILURE;
  const isBadUse = error instanceof CommanderError || (error instanceof CliError && error.code === "bad_usage");
  return isBadUse ? EXIT_BAD_USE : EXIT_NOT_COMPLETED;
}

function createProgram(setup: CommandSetup): Command {
  const program = new Command("spillway")
    .description(
      "Runs commands as an agent's tools: output bounded, visible live as small deltas, kept whole in a file.",
    )
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void setup.context.stdout.write(text),
      writeErr: (text) => void setup.context.stderr.write(text),
      outputError: () => undefined,
    });
  // Commands that are added as objects do not take over by themselves how their parent fails.
  for (const define of COMMANDS) program.addCommand(define(setup).copyInheritedSettings(program));
  return program;
}

/** What follows the first `--` is the words of a command, never options of ours. */
function splitAtDashes(argv: readonly string[]): { own: readonly string[]; words: readonly string[] | undefined } {
  const at = argv.indexOf("--");
  return at === -1 ? { own: argv, words: undefined } : { own: argv.slice(0, at), words: argv.slice(at + 1) };
}

/** A reader that goes before all was written is no reason to crash; what cares for it listens for itself. */
function survivePipes({ stdout, stderr }: CliContext): void {
  for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
}

function checkPlatform(platform: NodeJS.Platform): void {
  if (platform === "linux" || platform === "darwin") return;
  const remedy = platform === "win32" ? "run it inside WSL" : "it runs on Linux and macOS";
  throw new CliError("unsupported_platform", `spillway does not run on ${platform}; ${remedy}`);
}

function tellFailure(error: unknown, setup: CommandSetup, command: string | undefined, asJson: boolean): void {
  const { stdout, stderr } = setup.context;
  const { code, message } =
    error instanceof CommanderError ? describeBadUse(error, setup, command) : describeFailure(error);
  if (asJson) stdout.write(`${JSON.stringify({ type: "error", code, message })}\n`);
  // A path or an argument may hold what a terminal obeys.
  stderr.write(`spillway: ${printableText(message)}\n`);
}

function describeBadUse(
  error: CommanderError,
  setup: CommandSetup,
  command: string | undefined,
): { readonly code: string; readonly message: string } {
  // What commander says when help is asked for a command that there is not; it has printed the whole help before.
  const isUnknownTopic = error.code === "commander.help";
  const topic = setup.context.argv[1] ?? "";
  const lines = [isUnknownTopic ? `there is no command "${topic}"` : error.message.replace(/^error: /, "")];
  // Without the dashes the words of a command are taken for arguments and options of run.
  if (command === "run" && setup.words === undefined) lines.push("Put -- before the command: spillway run -- make -j8");
  const isCommand = command !== undefined && COMMANDS.some((define) => define(setup).name() === command);
  lines.push(`See ${isCommand ? `spillway ${command} --help` : "spillway --help"}.`);
  return { code: "bad_usage", message: lines.join("\n") };
}
