export { ModelError } from "./contract.js";
export type { Model, ModelErrorCode, ModelMessage, ModelPart, ModelRequest, ToolDefinition } from "./contract.js";
export { MAX_SCRIPT_DELAY_MS, MAX_SCRIPT_STEPS, MAX_SCRIPT_TURNS, parseScript, SCRIPT_VERSION } from "./script.js";
export type { Script, ScriptStep, ScriptText, ScriptToolCall } from "./script.js";
export { createScriptedModel } from "./scripted.js";
export type { ScriptClock, ScriptedModelOptions } from "./scripted.js";
