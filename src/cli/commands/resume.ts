import { Argument, Command } from "commander";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import { toShows } from "../options/shows.js";
import type { ShowsOptions } from "../options/shows.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
Where no session is named, of those that wait the one that was used last is taken.
No command is run again. One that goes on in the exec host is shown to its end, and
Ctrl-C stops it. Of one that was lost the partial output is kept, what is left of its
processes is stopped, and the operation is settled as interrupted. Where a model worked
(spillway ask), it is told what was interrupted and goes on; you are asked as before.

Exit codes: as of run, or of ask, for what has gone on; else 0 when there was nothing to
do, 1 when something had not been completed.

Examples:
  spillway resume
  spillway resume s_mih3k2f0_x81kqa --quiet
`;

/** `spillway resume [SESSION]` */
export const resumeCommand: CommandDefinition = (setup) =>
  new Command("resume")
    .description("take up or settle what a spillway that was killed left of a session")
    .addArgument(new Argument("[session]", "the session").argParser(parsing(parseSessionId)))
    .option("--json", "print one JSON object a line: open, every batch as on the wire, settled (of ask: result), error")
    .option("--quiet", "print nothing but the partial text and notice")
    .addHelpText("after", DETAILS)
    .action(async (session: string | undefined, options: ShowsOptions) => {
      const shows = toShows(options);
      const { resume } = await import("../resume/resume.js");
      setup.finish(await resume({ session, shows }, setup.context));
    });
