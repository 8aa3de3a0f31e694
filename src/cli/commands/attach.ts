import { Argument, Command } from "commander";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import { toShows } from "../options/shows.js";
import type { ShowsOptions } from "../options/shows.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
Where no session is named, of those that run the one that was used last is taken. A
session that no process runs is shown as it is stored. Ctrl-C leaves; what is
watched goes on. About a call that waits for approval you are asked: y allows it, n denies
it, a allows its tool from then on. Without a terminal: spillway approve.

A session of spillway ask is shown as that shows it. What you type steers the model while
it works, decides while a call waits, and is the next prompt otherwise.

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
    .action(async (session: string | undefined, options: ShowsOptions) => {
      const shows = toShows(options);
      const { attach } = await import("../attach/attach.js");
      setup.finish(await attach({ session, shows }, setup.context));
    });
