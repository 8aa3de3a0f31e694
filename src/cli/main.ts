#!/usr/bin/env node
import { contextOf } from "./context.js";
import { EXIT_OWN_FAILURE } from "./exit-codes.js";
import { describeFailure } from "./failure.js";
import { runCli } from "./program.js";

try {
  process.exitCode = await runCli(contextOf(process));
} catch (error) {
  process.stderr.write(`spillway: ${describeFailure(error).message}\n`);
  process.exitCode = EXIT_OWN_FAILURE;
}
