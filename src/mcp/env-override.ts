import type { ExecutionEnv } from "../exec/index.js";

/** An env with some of what it does done otherwise. */
export function overrideEnv(
  env: ExecutionEnv,
  others: Partial<Pick<ExecutionEnv, "cwd" | "exec" | "files">>,
): ExecutionEnv {
  return {
    cwd: others.cwd ?? env.cwd,
    files: others.files ?? env.files,
    exec: others.exec ?? ((command, options, context) => env.exec(command, options, context)),
    start: (command, options, context) => env.start(command, options, context),
    attach: (executionId, options, context) => env.attach(executionId, options, context),
    list: () => env.list(),
    collect: (executionId) => env.collect(executionId),
    writeInput: (executionId, bytes, options) => env.writeInput(executionId, bytes, options),
    endInput: (executionId) => env.endInput(executionId),
    kill: (executionId) => env.kill(executionId),
    close: () => env.close(),
  };
}
