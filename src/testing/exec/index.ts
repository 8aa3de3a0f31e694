export { defineExecSuite } from "./suite.js";
export type { ExecStage, ExecSuiteOptions } from "./stage.js";
