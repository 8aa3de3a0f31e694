import type { AgentHarnessTool, ExecutionToolContext, ToolSchema } from "../../tools/index.js";
import { overrideEnv } from "../env-override.js";
import { createRootedFiles } from "./rooted-files.js";
import type { Root } from "./root.js";

/** A tool that only looks at files, and sees none outside of the root. */
export function rootTool<Schema extends ToolSchema, Details>(
  tool: AgentHarnessTool<ExecutionToolContext, Schema, Details>,
  root: Root,
): AgentHarnessTool<ExecutionToolContext, Schema, Details> {
  return {
    ...tool,
    execute(id, params, signal, out, context) {
      const env = overrideEnv(context.env, { files: createRootedFiles(context.env.files, root) });
      return tool.execute(id, params, signal, out, { ...context, env });
    },
  };
}
