import { Argument, Command } from "commander";
import { parseExecutionId } from "../options/execution-id.js";
import { parsing } from "../options/parsing.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
All of its processes are told to end, and killed where they do not within 2 s. Its
session is told that it was stopped.

Exit codes: 0 when none is left, 1 when one could not be stopped or nothing runs by this id.

Examples:
  spillway ps
  spillway kill exec_x3f0a9z2_gvbjqy9q0wq0nekn
`;

/** `spillway kill EXECUTION` */
export const killCommand: CommandDefinition = (setup) =>
  new Command("kill")
    .description("stop an execution that the exec host runs")
    .addArgument(new Argument("<execution>", "its id, from spillway ps").argParser(parsing(parseExecutionId)))
    .addHelpText("after", DETAILS)
    .action(async (execution: string) => {
      const { killExecution } = await import("../executions/kill.js");
      setup.finish(await killExecution(execution, setup.context));
    });
