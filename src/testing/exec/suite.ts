import { executionCases } from "./executions.js";
import { fileCases } from "./files.js";
import { folderCases } from "./folders.js";
import { inputCases } from "./input.js";
import { outputCases } from "./output.js";
import { runCase } from "./stage.js";
import type { ExecSuiteOptions } from "./stage.js";
import { stopCases } from "./stops.js";

/**
 * Registers the cases that every `ExecutionEnv` passes, wherever it is: output and its totals, ways to end, executions that
 * go on without a caller, input, and files. Its commands are those of a POSIX shell and the usual programs beside it.
 */
export function defineExecSuite(options: ExecSuiteOptions): void {
  const cases = [...outputCases, ...stopCases, ...executionCases, ...inputCases, ...fileCases, ...folderCases];
  for (const one of cases) options.test(one.title, () => runCase(options, one));
}
