import { Argument, Command } from "commander";
import { ID_PATTERN } from "../../protocol/index.js";
import type { CallDecision } from "../../wire/index.js";
import { CliError } from "../failure.js";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
Without a call those that wait are listed, with all that they would be given: of the
session that is named, else of all that a process works on.

Exit codes: 0 when it was decided, 1 when the call waits for nothing.

Examples:
  spillway approve
  spillway approve s_mih3k2f0_x81kqa call_k2m9x4
  spillway approve s_mih3k2f0_x81kqa call_k2m9x4 --deny --reason "not on this branch"
`;

interface ApproveOptions {
  readonly deny?: true;
  readonly reason?: string;
  readonly always?: true;
  readonly json?: true;
}

/** `spillway approve [SESSION] [CALL]` */
export const approveCommand: CommandDefinition = (setup) =>
  new Command("approve")
    .description("allow or deny a call that waits for approval, or list those that do")
    .addArgument(new Argument("[session]", "the session").argParser(parsing(parseSessionId)))
    .addArgument(new Argument("[call]", "the call").argParser(parsing(parseCallId)))
    .option("--deny", "deny it instead of allowing it")
    .option("--reason <text>", "what the model is told of a denial")
    .option("--always", "decide the same of this tool from now on")
    .option("--json", "print one JSON object a line: waiting, or decided")
    .addHelpText("after", DETAILS)
    .action(async (session: string | undefined, call: string | undefined, options: ApproveOptions) => {
      const decided = call === undefined ? refuseDecision(options) : { call, decision: toDecision(options) };
      const { approve } = await import("../approve/approve.js");
      setup.finish(await approve({ session, decided, asJson: options.json === true }, setup.context));
    });

function toDecision({ deny, reason, always }: ApproveOptions): CallDecision {
  if (reason !== undefined && deny !== true) {
    throw new CliError("bad_usage", "--reason is what the model is told of a denial; add --deny, or leave it out");
  }
  return {
    decision: deny === true ? "deny" : "allow",
    ...(reason !== undefined && { reason }),
    ...(always === true && { always }),
  };
}

function refuseDecision({ deny, reason, always }: ApproveOptions): undefined {
  if (deny === undefined && reason === undefined && always === undefined) return undefined;
  throw new CliError(
    "bad_usage",
    "name the call to decide about: spillway approve SESSION CALL; see: spillway approve",
  );
}

function parseCallId(text: string): string {
  if (ID_PATTERN.test(text)) return text;
  throw new RangeError(
    `"${text}" is no call's id; those have 1 to 64 characters of a-z, 0-9, _ and -, see: spillway approve`,
  );
}
