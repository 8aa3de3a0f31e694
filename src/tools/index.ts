export { bashSchema, createBashTool } from "./bash.js";
export type { BashToolDetails, BashToolOptions } from "./bash.js";
export type {
  AgentHarnessTool,
  CapturedUpdate,
  CaptureEnd,
  ExecutionToolContext,
  OutputLimits,
  ToolOutput,
  ToolOutputSink,
} from "./contract.js";
export { toolDefinition } from "./definition.js";
export type { ToolDescription } from "./definition.js";
export { bindEnv } from "./env/bound-env.js";
export type { EnvBinding } from "./env/bound-env.js";
export { ToolError } from "./errors.js";
export type { ToolErrorCode } from "./errors.js";
export { MAX_ADDED_TOOLS } from "./output/added-tools.js";
export { MAX_DETAILS_BYTES } from "./output/details.js";
export { MAX_IMAGE_BYTES, MAX_IMAGES } from "./output/images.js";
export { MAX_NOTICE_BYTES } from "./output/notice.js";
export { createToolOutput } from "./output/sink.js";
export type { ToolOutputOptions } from "./output/sink.js";
export type {
  JsonToolSchema,
  StandardIssue,
  StandardResult,
  StandardToolSchema,
  ToolParameters,
  ToolSchema,
} from "./schema.js";
export { validateParameters } from "./validation.js";
