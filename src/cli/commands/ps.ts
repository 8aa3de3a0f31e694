import { Command } from "commander";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
States: running; left (its shell has exited, processes of it go on); ended (its result
waits for the session that began it, see: spillway resume). What runs --in-process is
not listed.

Examples:
  spillway ps
  spillway ps --json | jq -r 'select(.state == "left") | .executionId'
`;

/** `spillway ps` */
export const psCommand: CommandDefinition = (setup) =>
  new Command("ps")
    .description("list what runs in the exec host, also where nobody watches it")
    .option("--json", "print one JSON object a line")
    .addHelpText("after", DETAILS)
    .action(async (options: { readonly json?: true }) => {
      const { listExecutions } = await import("../executions/list.js");
      await listExecutions({ asJson: options.json === true }, setup.context);
    });
