import type { AgentHarnessTool } from "../tools/index.js";
import { createGrepTool, createReadTool } from "../tools/index.js";
import { createMcpBashTool } from "./bash-tool.js";
import type { McpBashOptions } from "./bash-tool.js";
import { rootTool } from "./confined/rooted-tool.js";

/** The tools of a session that clients call, for the harness that opens it. */
export function createMcpTools(options: McpBashOptions): readonly AgentHarnessTool[] {
  const { root, output } = options;
  const caps = { maxBytes: output?.maxBytes, maxLines: output?.maxLines };
  return [
    createMcpBashTool(options),
    rootTool(createReadTool({ output: caps }), root),
    rootTool(createGrepTool({ output: caps }), root),
  ];
}
