import { Command } from "commander";
import type { CommandDefinition } from "./setup.js";

const DEFAULT_LIMIT = 30;

const DETAILS = `
States: running, unsettled (its process died; spillway resume settles it), completed,
failed, aborted, interrupted, empty, damaged.

Examples:
  spillway sessions
  spillway sessions --all --json | jq -r 'select(.state == "unsettled") | .session'
`;

/** `spillway sessions` */
export const sessionsCommand: CommandDefinition = (setup) =>
  new Command("sessions")
    .description("list the sessions, the one that was used last first")
    .option("--all", `list all of them, not the last ${DEFAULT_LIMIT} only`)
    .option("--json", "print one JSON object a line")
    .addHelpText("after", DETAILS)
    .action(async (options: { readonly all?: true; readonly json?: true }) => {
      const { listSessions } = await import("../sessions/list.js");
      const limit = options.all === true ? Infinity : DEFAULT_LIMIT;
      await listSessions({ limit, asJson: options.json === true }, setup.context);
    });
