import type { AgentHarnessTool } from "../../src/tools/index.js";

export const PART_BYTES: number;
export function createDownloadTool(): AgentHarnessTool;
