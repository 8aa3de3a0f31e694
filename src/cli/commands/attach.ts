import { Argument, Command } from "commander";
import { CliError } from "../failure.js";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
Where no session is named, of those that run the one that was used last is taken. A
session that no process runs is shown as it is stored. Ctrl-C leaves; what is
watched goes on.

Exit codes: 0 when what was watched was completed, 1 when it was not, 130 after Ctrl-C.

Examples:
  spillway attach
  spillway attach s_mih3k2f0_x81kqa --json | jq -c .ops
`;

/** `spillway attach [SESSION]` */
export const attachCommand: CommandDefinition = (setup) =>
  new Command("attach")
    .description("follow a session that another terminal runs")
    .addArgument(new Argument("[session]", "the session").argParser(parsing(parseSessionId)))
    .option("--json", "print one JSON object a line: open, every batch, lost, connected, end, error")
    .option("--quiet", "print nothing but the final text and notice")
    .addHelpText("after", DETAILS)
    .action(async (session: string | undefined, options: { readonly json?: true; readonly quiet?: true }) => {
      if (options.json === true && options.quiet === true)
        throw new CliError("bad_usage", "--json and --quiet exclude each other; leave one out");
      const { attach } = await import("../attach/attach.js");
      const shows = options.json === true ? "json" : options.quiet === true ? "result" : "everything";
      setup.finish(await attach({ session, shows }, setup.context));
    });
