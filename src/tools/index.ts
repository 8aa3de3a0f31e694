export type {
  AgentHarnessTool,
  CapturedUpdate,
  CaptureEnd,
  ExecutionToolContext,
  ToolOutput,
  ToolOutputSink,
} from "./contract.js";
export type {
  JsonToolSchema,
  StandardIssue,
  StandardResult,
  StandardToolSchema,
  ToolParameters,
  ToolSchema,
} from "./schema.js";
