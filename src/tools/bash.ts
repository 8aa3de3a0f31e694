import { z } from "zod";
import { resolveCaps } from "../exec/index.js";
import type {
  ExecError,
  ExecResult,
  Result,
  ShellOutputLimits,
  ShellOutputTruncation,
  ShellOutputUpdate,
} from "../exec/index.js";
import type { AgentHarnessTool, ExecutionToolContext, ToolOutput } from "./contract.js";
import { ToolError } from "./errors.js";

export const bashSchema = z.strictObject({
  command: z
    .string()
    .min(1)
    .describe("Shell text; pipes, redirections and several lines are fine. It has no terminal and no input."),
  timeout: z
    .number()
    .positive()
    .optional()
    .describe("Seconds after which the command and all that it started are stopped. Without it there is no limit."),
});

/** `truncation` is never set by this tool, whose totals are the state's own; a tool that states them itself may. */
export interface BashToolDetails {
  spillPath?: string;
  truncation?: ShellOutputTruncation;
}

export interface BashToolOptions {
  /** What bounds the text of a call; the defaults where unset. */
  readonly output?: ShellOutputLimits | undefined;
  /** The encoding in which commands print, by a label of the Encoding Standard. Default UTF-8. */
  readonly encoding?: string | undefined;
}

/** Runs shell text in the call's env and shows what it prints. Every way not to end with exit code 0 fails the call. */
export function createBashTool(
  options: BashToolOptions = {},
): AgentHarnessTool<ExecutionToolContext, typeof bashSchema, BashToolDetails> {
  const output = resolveCaps(options.output);
  const { encoding } = options;
  return {
    name: "bash",
    description: describeTool(output.maxBytes, output.maxLines),
    parameters: bashSchema,
    output,
    replay: "attach",

    async execute(_id, { command, timeout }, signal, out, context) {
      const { env } = context;
      const ended = await env.exec(
        command,
        {
          cwd: env.cwd,
          inheritEnv: true,
          timeout,
          capture: { limits: this.output, spill: true, encoding },
          onUpdate: (update) => showUpdate(out, update),
        },
        context,
      );
      const result = ended.ok ? ended.value : ended.error.result;
      if (result?.spillPath !== undefined) out.details.spillPath = result.spillPath;
      checkEnd(ended, timeout, signal);
    },
  };
}

function describeTool(maxBytes: number, maxLines: number): string {
  return (
    "Runs a command in a shell and returns what it prints to standard output and standard error, in the order of arrival. " +
    `At most ${maxBytes} bytes and ${maxLines} lines are shown; longer output is saved whole to a file that is named at the end.`
  );
}

function showUpdate(out: ToolOutput<BashToolDetails>, update: ShellOutputUpdate): void {
  if (update.kind === "append") out.write(update.text);
  else if (update.kind === "slide") out.slide(update.drop, update.text);
  else if (update.kind === "replace") out.replace(update.output.text);
  const { spillPath } = update.kind === "replace" ? update.output : update.metadata;
  if (spillPath !== undefined) out.details.spillPath = spillPath;
}

function checkEnd(ended: Result<ExecResult, ExecError>, timeout: number | undefined, signal: AbortSignal): void {
  if (!ended.ok) throw describeFailure(ended.error, timeout, signal);
  const { exitCode } = ended.value;
  if (exitCode !== null && exitCode !== 0) {
    const remark = exitCode === READER_GONE ? READER_GONE_REMARK : "";
    throw new ToolError("command_failed", `Command exited with code ${exitCode}${remark}`);
  }
}

/** As a shell says that SIGPIPE ended a program: under `pipefail` that is so of all that `head` stops listening to. */
const READER_GONE = 141;
const READER_GONE_REMARK = ": a program's reader had seen enough and closed the pipe (SIGPIPE), which is no crash";

/** An end that is the command's own, or was asked for; any other failure is the env's, in its words. */
function describeFailure(cause: ExecError, timeout: number | undefined, signal: AbortSignal): Error {
  const { code, result } = cause;
  const seconds = ((result?.durationMs ?? 0) / 1_000).toFixed(1);
  if (code === "signal") {
    return new ToolError("command_signalled", `Command was ended by ${result?.signal ?? "a signal"}`, { cause });
  }
  if (code === "timeout") {
    return new ToolError("command_timed_out", `Command timed out after ${timeout ?? seconds} s`, { cause });
  }
  if (code === "aborted" && signal.aborted) {
    return new ToolError("command_aborted", `Command was aborted after ${seconds} s${describeReason(signal)}`, {
      cause,
    });
  }
  return cause;
}

function describeReason({ reason }: AbortSignal): string {
  const why: unknown = reason instanceof Error ? reason.message : reason;
  return typeof why === "string" && why !== "" ? `: ${why}` : "";
}
