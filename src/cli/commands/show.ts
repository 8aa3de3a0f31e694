import { Argument, Command } from "commander";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
Reads what is stored, also while another process runs the session. Where no session
is named, the one that was used last is shown.

Examples:
  spillway show
  spillway show s_mih3k2f0_x81kqa --json | jq -c 'select(.type == "entry")'
`;

/** `spillway show [SESSION]` */
export const showCommand: CommandDefinition = (setup) =>
  new Command("show")
    .description("print the transcript and the state of a session")
    .addArgument(new Argument("[session]", "the session").argParser(parsing(parseSessionId)))
    .option("--json", "print one JSON object a line: session, every entry, every lane's operation")
    .addHelpText("after", DETAILS)
    .action(async (session: string | undefined, options: { readonly json?: true }) => {
      const { show } = await import("../show/show.js");
      await show({ session, asJson: options.json === true }, setup.context);
    });
