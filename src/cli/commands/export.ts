import { Argument, Command, Option } from "commander";
import type { ExportFormat } from "../maintenance/export/export.js";
import { parsing } from "../options/parsing.js";
import { parseSessionId } from "../options/session-id.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
Holds what spillway show does: every entry as the session has it, outputs as bounded
as they were. The whole output of a call: spillway cat.

Examples:
  spillway export s_mih3k2f0_x81kqa > session.md
  spillway export s_mih3k2f0_x81kqa --format json --output session.json
`;

/** `spillway export SESSION` */
export const exportCommand: CommandDefinition = (setup) =>
  new Command("export")
    .description("write a session as one document")
    .addArgument(new Argument("<session>", "the session").argParser(parsing(parseSessionId)))
    .addOption(new Option("--format <format>", "of the document").choices(["markdown", "json"]).default("markdown"))
    .option("--output <file>", "a file that does not exist yet, instead of standard output")
    .addHelpText("after", DETAILS)
    .action(async (session: string, options: { readonly format: ExportFormat; readonly output?: string }) => {
      const { exportSession } = await import("../maintenance/export/export.js");
      setup.finish(await exportSession({ session, ...options }, setup.context));
    });
