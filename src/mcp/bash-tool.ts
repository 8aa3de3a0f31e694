import { z } from "zod";
import { ExecError, getOrThrow } from "../exec/index.js";
import type { Clock, EnvFiles, ExecutionEnv, ShellOutputLimits } from "../exec/index.js";
import { createBashTool } from "../tools/index.js";
import type { AgentHarnessTool, BashToolDetails, ExecutionToolContext, ToolOutput } from "../tools/index.js";
import { describeEnd } from "./call-records.js";
import type { CallRecords, ExecutionDetails } from "./call-records.js";
import { overrideEnv } from "./env-override.js";
import { outside } from "./confined/rooted-files.js";
import { isBelow } from "./confined/root.js";
import type { Root } from "./confined/root.js";

/** A command is one argument of a program, of which Linux takes 128 KiB. */
const MAX_COMMAND_BYTES = 131_000;
const MAX_TIMEOUT_SECONDS = 604_800;
export const MAX_PATH_LENGTH = 4_096;

export const bashInput = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(MAX_COMMAND_BYTES)
    .refine((text) => Buffer.byteLength(text) <= MAX_COMMAND_BYTES, `has more than ${MAX_COMMAND_BYTES} bytes`)
    .refine((text) => !text.includes("\0"), "holds a NUL character")
    .describe("Shell text; pipes, redirections and several lines are fine. It has no terminal and no input."),
  timeout: z
    .number()
    .positive()
    .max(MAX_TIMEOUT_SECONDS)
    .optional()
    .describe("Seconds after which the command and all that it started are stopped. Without it there is no limit."),
  cwd: z
    .string()
    .min(1)
    .max(MAX_PATH_LENGTH)
    .optional()
    .describe("The folder to run in, absolute or relative to the root, and below it. Default the root."),
  background: z
    .boolean()
    .optional()
    .describe("Whether to return at once and let it run on; bash_read gives its output, bash_kill ends it."),
});

export interface McpBashOptions {
  readonly records: CallRecords;
  readonly root: Root;
  readonly output?: ShellOutputLimits | undefined;
  readonly clock: Clock;
}

/** The built-in tool with a folder to run in, whose executions are noted while they run. */
export function createMcpBashTool(
  options: McpBashOptions,
): AgentHarnessTool<ExecutionToolContext, typeof bashInput, BashToolDetails> {
  const { records, root, output, clock } = options;
  const bash = createBashTool({ output });
  return {
    ...bash,
    parameters: bashInput,

    async execute(id, { command, timeout, cwd: wanted }, signal, out, context) {
      const { env } = context;
      // A run that takes up what an earlier one began does not depend on the folder any more.
      const cwd =
        wanted === undefined ? root.path : await context.memo("cwd", () => findFolder(env.files, wanted, root));
      records.begin(id, { command, cwd, startedAt: clock.now() });
      const noted = overrideEnv(env, { cwd, exec: noteExecution(env, id, out, records, cwd) });
      await bash.execute(id, { command, timeout }, signal, out, { ...context, env: noted });
    },
  };
}

function noteExecution(
  env: ExecutionEnv,
  id: string,
  out: ToolOutput<BashToolDetails & ExecutionDetails>,
  records: CallRecords,
  cwd: string,
): ExecutionEnv["exec"] {
  return async (command, options, context) => {
    const ended = await env.exec(
      command,
      {
        ...options,
        onUpdate(update) {
          records.update(id, update);
          options.onUpdate?.(update);
        },
      },
      {
        ...context,
        async prepared(plan) {
          records.plan(id, plan.executionId);
          await context?.prepared?.(plan);
        },
      },
    );
    // One that goes on with what an earlier process began had nothing to plan.
    const executionId = records.get(id)?.executionId ?? (ended.ok ? ended.value : ended.error.result)?.executionId;
    Object.assign(out.details, { ...(executionId !== undefined && { executionId }), cwd, ...describeEnd(ended) });
    records.end(id, ended);
    return ended;
  };
}

async function findFolder(files: EnvFiles, path: string, root: Root): Promise<string> {
  const info = getOrThrow(await files.stat(path));
  if (!isBelow(root.path, info.path)) throw outside("cwd", path, root);
  if (info.kind !== "folder") throw new ExecError("not_a_folder", `cwd: ${path} is no folder; name one`);
  return info.path;
}
