import { Argument, Command } from "commander";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
Reads every byte, also while another process runs the session, and changes nothing.
Where no session is named, all of them are verified. What an interrupted write left
at the end of a file is told and is no damage: the next opening cuts it off.

Exit codes: 0 when all sessions open, 1 when one is damaged.

Examples:
  spillway verify
  spillway verify s_mih3k2f0_x81kqa --json | jq '.files[] | select(.state != "sound")'
`;

/** `spillway verify [SESSION]` */
export const verifyCommand: CommandDefinition = (setup) =>
  new Command("verify")
    .description("read all files of a session and say what is wrong where")
    .addArgument(new Argument("[session]", "the session").argParser(parsing(parseSessionId)))
    .option("--json", "print one JSON object a line for each session")
    .addHelpText("after", DETAILS)
    .action(async (session: string | undefined, options: { readonly json?: true }) => {
      const { verify } = await import("../maintenance/verify.js");
      setup.finish(await verify({ session, asJson: options.json === true }, setup.context));
    });
