import { Argument, Command } from "commander";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
What was replaced or removed in a session stays in its log until that is rewritten,
which happens by itself when it is more than half. A session that a process works on
is not compacted. Afterwards the session cannot be forked before what was left out.

Example:
  spillway compact s_mih3k2f0_x81kqa
`;

/** `spillway compact SESSION` */
export const compactCommand: CommandDefinition = (setup) =>
  new Command("compact")
    .description("rewrite the log of a session without what is dead in it")
    .addArgument(new Argument("<session>", "the session").argParser(parsing(parseSessionId)))
    .option("--json", "print one JSON object: session, bytesBefore, bytesAfter")
    .addHelpText("after", DETAILS)
    .action(async (session: string, options: { readonly json?: true }) => {
      const { compact } = await import("../maintenance/compact.js");
      await compact({ session, asJson: options.json === true }, setup.context);
    });
