import { Argument, Command } from "commander";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
A session that a process works on is not removed.

Example:
  spillway rm s_mih3k2f0_x81kqa
`;

/** `spillway rm SESSION…` */
export const removeCommand: CommandDefinition = (setup) =>
  new Command("rm")
    .description("remove sessions: their logs and their output files")
    .addArgument(new Argument("<sessions...>", "the sessions").argParser(parsing(collectSession)))
    .addHelpText("after", DETAILS)
    .action(async (sessions: readonly string[]) => {
      const { removeSessions } = await import("../remove/remove.js");
      await removeSessions(sessions, setup.context);
    });

function collectSession(text: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), parseSessionId(text)];
}
