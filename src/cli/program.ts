import { Command, CommanderError } from "commander";
import { runCommand } from "./commands/run.js";
import type { CommandSetup } from "./commands/setup.js";
import type { CliContext } from "./context.js";
import { EXIT_BAD_USE, EXIT_OK, EXIT_OWN_FAILURE } from "./exit-codes.js";
import { CliError, describeFailure } from "./failure.js";
import { readVersion } from "./version.js";

const EXAMPLES = `
Examples:
  spillway run -- make -j8                     run a build: watch it live, keep all of its output
  spillway run --timeout 5m -- 'npm test | tee log'
  spillway run --help                          every option of run
`;

/** Runs the command that the arguments name and gives the exit code. What it cannot do, it says on standard error. */
export async function runCli(context: CliContext): Promise<number> {
  const { own, words } = splitAtDashes(context.argv);
  let exitCode = EXIT_OK;
  const setup: CommandSetup = { context, words, finish: (code) => (exitCode = code) };
  try {
    checkPlatform(context.platform);
    await createProgram(setup).parseAsync(own, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_OK;
    const command = own.find((argument) => !argument.startsWith("-"));
    tellFailure(error, setup, command, own.includes("--json"));
    return command === "run" ? EXIT_OWN_FAILURE : EXIT_BAD_USE;
  }
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
    .configureOutput({ outputError: () => undefined });
  for (const define of [runCommand]) program.addCommand(inherit(define(setup), program));
  return program.action(() => program.help());
}

/** Subcommands that are added as objects do not take over how their parent fails. */
function inherit(command: Command, parent: Command): Command {
  return command.copyInheritedSettings(parent);
}

/** What follows the first `--` is the words of a command, never options of ours. */
function splitAtDashes(argv: readonly string[]): { own: readonly string[]; words: readonly string[] | undefined } {
  const at = argv.indexOf("--");
  return at === -1 ? { own: argv, words: undefined } : { own: argv.slice(0, at), words: argv.slice(at + 1) };
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
  stderr.write(`spillway: ${message}\n`);
}

function describeBadUse(
  error: CommanderError,
  { words }: CommandSetup,
  command: string | undefined,
): { readonly code: string; readonly message: string } {
  const lines = [error.message.replace(/^error: /, "")];
  // Without the dashes the words of a command are taken for arguments and options of run.
  if (command === "run" && words === undefined) lines.push("Put -- before the command: spillway run -- make -j8");
  lines.push(`See ${command === "run" ? "spillway run --help" : "spillway --help"}.`);
  return { code: "bad_usage", message: lines.join("\n") };
}
