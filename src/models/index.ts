export { ModelError } from "./contract.js";
export type { Model, ModelErrorCode, ModelMessage, ModelPart, ModelRequest, ToolDefinition } from "./contract.js";
