import { Command } from "commander";
import { CliError } from "../failure.js";
import type { AskRequest } from "../ask/request.js";
import { toEnvKind, toSandbox } from "../options/confinement.js";
import type { ConfinementOptions } from "../options/confinement.js";
import { collectFolders, findFolder } from "../options/folder.js";
import { parsing } from "../options/parsing.js";
import { parsePort } from "../options/port.js";
import { parseSessionId } from "../options/session-id.js";
import { toShows } from "../options/shows.js";
import type { ShowsOptions } from "../options/shows.js";
import { collectVariable } from "../options/variable.js";
import type { CommandDefinition, CommandSetup } from "./setup.js";

const DETAILS = `
The model is named by --model, or SPILLWAY_MODEL in the environment:
  anthropic:MODEL            with a key in ANTHROPIC_API_KEY
  openai:MODEL               with a key in OPENAI_API_KEY
  http://HOST:PORT/v1#MODEL  any server of that protocol: Ollama, llama.cpp, vLLM
  script:FILE                what a file says, for tests
SPILLWAY_ANTHROPIC_KEY_COMMAND and SPILLWAY_OPENAI_KEY_COMMAND name a command that
prints the key, such as 'pass show anthropic'. Keys are stored nowhere.

It may run bash and read, write, edit and search files. At a terminal you are asked
before bash, write and edit; a program that calls it is refused them. Both do without
with --sandbox, which holds changes to the folder, or with --yes, which holds nothing.
What you type while it works steers it. Without a prompt, at a terminal, it takes one
after the other until Ctrl-D. Text on standard input is added to the prompt.

Exit codes: 0 when the answer was completed, 1 when it was not, 125 when spillway
itself failed, 130 after Ctrl-C, which stops and settles (a second one leaves at once).

Examples:
  spillway ask --model anthropic:MODEL "why does the build fail?"
  spillway ask --sandbox "make the tests pass"
  git diff | spillway ask --quiet "write a message for this change"
  spillway ask --session s_mih3k2f0_x81kqa "and now the docs"
`;

/** `spillway ask [options] [PROMPT]` */
export const askCommand: CommandDefinition = (setup) =>
  new Command("ask")
    .argument("[prompt]", "what to ask; without it prompts are read from the terminal, or the text of standard input")
    .description("ask a model that works in this folder with bounded tools, watched and steered from anywhere")
    .option("--model <name>", "the model to ask, see below")
    .option("--session <id>", "go on with a session instead of beginning one", parsing(parseSessionId))
    .option("--yes", "run whatever it calls without asking")
    .option("--cwd <folder>", "the folder that it works in", (folder) => findFolder(setup.context.cwd, folder))
    .option("--env <name>", "let a withheld variable through to commands; may be repeated", parsing(collectVariable))
    .option("--in-process", "run commands in this process, so that they end when this one does")
    .option(
      "--sandbox",
      "run commands under bubblewrap, and allow them: they change the folder and a /tmp of their own",
    )
    .option("--no-network", "with --sandbox: without the machine's network")
    .option(
      "--writable <folder>",
      "with --sandbox: a folder that may be changed too; may be repeated",
      collectFolders(setup.context.cwd),
    )
    .option("--web", "serve the page that shows the session on loopback, and print its address")
    .option("--port <number>", "the port of --web; any that is free by default", parsing(parsePort))
    .option("--json", "print one JSON object a line: open, every batch as on the wire, result, error")
    .option("--quiet", "print nothing but the last answer")
    .addHelpText("after", DETAILS)
    .action(async (prompt: string | undefined, options: AskOptions) => {
      const request = toRequest(prompt, options, setup);
      const { ask } = await import("../ask/ask.js");
      setup.finish(await ask(request, setup.context));
    });

interface AskOptions extends ShowsOptions, ConfinementOptions {
  readonly model?: string;
  readonly session?: string;
  readonly yes?: true;
  readonly cwd?: string;
  readonly env?: readonly string[];
  readonly web?: true;
  readonly port?: number;
}

function toRequest(prompt: string | undefined, options: AskOptions, { context, words }: CommandSetup): AskRequest {
  if (prompt !== undefined && words !== undefined) throw badUse("ask takes one prompt; put it in quotes");
  const text = prompt ?? words?.join(" ");
  if (text?.trim() === "") throw badUse('the prompt is empty; say what to ask, such as: spillway ask "what is here?"');
  if (options.port !== undefined && options.web !== true) throw badUse("--port is the port of --web; add --web");
  return {
    prompt: text,
    model: options.model,
    session: options.session,
    cwd: options.cwd,
    env: toEnvKind(options, context),
    passedVariables: options.env ?? [],
    sandbox: toSandbox(options),
    allowsAll: options.yes === true,
    port: options.web === true ? (options.port ?? 0) : undefined,
    shows: toShows(options),
  };
}

function badUse(message: string): CliError {
  return new CliError("bad_usage", message);
}
