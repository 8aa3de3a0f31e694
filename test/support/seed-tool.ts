import { z } from "zod";
import { applyShellOutputUpdate, describe, getOrThrow } from "../../src/exec/index.js";
import type { ShellOutputTruncation, ShellOutputView } from "../../src/exec/index.js";
import type { AgentHarnessTool, ExecutionToolContext } from "../../src/tools/index.js";

const shellSchema = z.object({ command: z.string(), timeout: z.number().optional() });

interface ShellDetails {
  spillPath?: string;
  truncation?: ShellOutputTruncation;
}

/**
 * A shell tool as an author writes it who knows the seed's page and nothing else: text through `write` and `replace`
 * alone, totals in its details, a footer of its own, an error for an exit code.
 */
export function createSeedTool(): AgentHarnessTool<ExecutionToolContext, typeof shellSchema, ShellDetails> {
  return {
    name: "shell",
    description: "Runs a command.",
    parameters: shellSchema,
    output: { retain: "tail" },

    async execute(_id, { command, timeout }, _signal, out, context) {
      const { env } = context;
      let view: ShellOutputView | undefined;
      const result = getOrThrow(
        await env.exec(
          command,
          {
            cwd: env.cwd,
            inheritEnv: true,
            timeout,
            capture: { limits: this.output, spill: true },
            onUpdate: (update) => {
              view = applyShellOutputUpdate(view, update);
              if (update.kind === "append") out.write(update.text);
              else out.replace(view.text);
              out.details.truncation = view.truncation;
              if (view.spillPath !== undefined) out.details.spillPath = view.spillPath;
            },
          },
          context,
        ),
      );
      if (result.spillPath !== undefined) out.details.spillPath = result.spillPath;
      if (result.truncation.truncated) out.write(`\n\n[${describe(result.truncation)}]`);
      if (result.exitCode) throw new Error(`Command exited with code ${result.exitCode}`);
    },
  };
}
