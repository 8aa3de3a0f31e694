export { bashSchema, createBashTool } from "./bash.js";
export type { BashToolDetails, BashToolOptions } from "./bash.js";
export { createBuiltInTools } from "./built-in-tools.js";
export type { BuiltInToolsOptions } from "./built-in-tools.js";
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
export { createEditTool, editSchema } from "./edit.js";
export type { EditToolDetails, EditToolOptions } from "./edit.js";
export { bindEnv } from "./env/bound-env.js";
export type { EnvBinding } from "./env/bound-env.js";
export { ToolError } from "./errors.js";
export type { ToolErrorCode } from "./errors.js";
export { FileTurns } from "./files/file-turns.js";
export { createFindTool, findSchema } from "./find.js";
export type { FindToolDetails } from "./find.js";
export { createGrepTool, grepSchema } from "./grep.js";
export type { GrepToolDetails, SearchToolOptions } from "./grep.js";
export { createLsTool, lsSchema } from "./ls.js";
export type { LsToolDetails, LsToolOptions } from "./ls.js";
export { MAX_ADDED_TOOLS } from "./output/added-tools.js";
export { MAX_DETAILS_BYTES } from "./output/details.js";
export { MAX_IMAGE_BYTES, MAX_IMAGES } from "./output/images.js";
export { MAX_NOTICE_BYTES } from "./output/notice.js";
export { createToolOutput } from "./output/sink.js";
export type { ToolOutputOptions } from "./output/sink.js";
export { createReadTool, readSchema } from "./read.js";
export type { ReadToolDetails, ReadToolOptions } from "./read.js";
export type {
  JsonToolSchema,
  StandardIssue,
  StandardResult,
  StandardToolSchema,
  ToolParameters,
  ToolSchema,
} from "./schema.js";
export { SearchPrograms } from "./search/programs.js";
export type { Programs } from "./search/programs.js";
export { validateParameters } from "./validation.js";
export { createWriteTool, writeSchema } from "./write.js";
export type { WriteToolDetails, WriteToolOptions } from "./write.js";
