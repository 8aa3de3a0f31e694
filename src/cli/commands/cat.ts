import { Argument, Command } from "commander";
import { CliError } from "../failure.js";
import { parseLineRange } from "../options/line-range.js";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import { parseCount } from "../options/size.js";
import type { LineRange } from "../cat/line-range.js";
import type { CommandDefinition } from "./setup.js";

const MAX_TAIL_LINES = 1_000_000_000;

const DETAILS = `
The file of an output holds its raw bytes, escape sequences included; on a terminal
those are made visible, not obeyed. An output that needed no file is printed as the
text that the session holds. Where no call is named, the last one is taken.

Exit codes: 0 when the whole output was there, 1 when part of it is missing or gone.

Examples:
  spillway cat s_mih3k2f0_x81kqa > build.log
  spillway cat s_mih3k2f0_x81kqa call_gvbjqy9q0wq0nekn --lines 100-140
  spillway cat s_mih3k2f0_x81kqa --tail 20
  spillway cat exec_x3f0a9z2_gvbjqy9q0wq0nekn
`;

/** `spillway cat SESSION [CALL]`, `spillway cat EXECUTION` */
export const catCommand: CommandDefinition = (setup) =>
  new Command("cat")
    .description("print the whole output of a call, from its file")
    .addArgument(
      new Argument("<session>", "the session, or an execution of spillway ps").argParser(parsing(parseSessionId)),
    )
    .argument("[call]", "the call, such as call_gvbjqy9q0wq0nekn")
    .option("--lines <range>", "these lines alone: 12, 12-40, 12- or -40", parsing(parseLineRange))
    .option("--tail <count>", "the last lines alone", parsing(parseTail))
    .addHelpText("after", DETAILS)
    .action(
      async (session: string, call: string | undefined, options: { readonly lines?: LineRange; tail?: number }) => {
        const { lines, tail } = options;
        if (lines !== undefined && tail !== undefined)
          throw new CliError("bad_usage", "--lines and --tail exclude each other; leave one out");
        const { cat } = await import("../cat/cat.js");
        setup.finish(await cat({ session, call, lines, tail }, setup.context));
      },
    );

function parseTail(text: string): number {
  return parseCount(text, { unit: "lines", min: 1, max: MAX_TAIL_LINES });
}
