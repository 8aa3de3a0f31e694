export { ModelError } from "./contract.js";
export type { Model, ModelErrorCode, ModelMessage, ModelPart, ModelRequest, ToolDefinition } from "./contract.js";
export { openModel } from "./open.js";
export type { OpenModelOptions } from "./open.js";
export { formatModelName, MAX_MODEL_NAME_LENGTH, parseModelName } from "./name.js";
export type { ModelName } from "./name.js";
export type { ModelEffort, ModelOptions } from "./model-options.js";
export type { ModelPrice, ModelPrices } from "./prices.js";
export { createAnthropicModel } from "./anthropic.js";
export { createOpenAIModel } from "./openai.js";
export { createServerModel } from "./server.js";
export {
  MAX_SCRIPT_DELAY_MS,
  MAX_SCRIPT_FAILURES,
  MAX_SCRIPT_STEPS,
  MAX_SCRIPT_TURNS,
  parseScript,
  SCRIPT_VERSION,
} from "./script.js";
export type { Script, ScriptCut, ScriptError, ScriptStall, ScriptStep, ScriptText, ScriptToolCall } from "./script.js";
export { createScriptedModel } from "./scripted.js";
export type { ScriptClock, ScriptedModelOptions } from "./scripted.js";
