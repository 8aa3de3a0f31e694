import { Argument, Command } from "commander";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
A damaged log is replaced by one with everything in it that still verifies; of the
output of an operation that had not settled, what comes before the damage is saved.
The damaged file is kept beside it, as NAME.damaged-N, until the session is removed.
A copy of the files from before the damage is better than any repair.

Example:
  spillway repair s_mih3k2f0_x81kqa
`;

/** `spillway repair SESSION` */
export const repairCommand: CommandDefinition = (setup) =>
  new Command("repair")
    .description("save what can be saved of a damaged session")
    .addArgument(new Argument("<session>", "the session").argParser(parsing(parseSessionId)))
    .option("--json", "print one JSON object: session, and each file that was repaired")
    .addHelpText("after", DETAILS)
    .action(async (session: string, options: { readonly json?: true }) => {
      const { repair } = await import("../maintenance/repair.js");
      await repair({ session, asJson: options.json === true }, setup.context);
    });
