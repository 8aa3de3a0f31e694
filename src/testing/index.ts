export { defineStorageSuite } from "./storage/index.js";
export type { StorageStage, StorageSuiteOptions, SuiteAssert } from "./storage/index.js";
export { defineExecSuite } from "./exec/index.js";
export type { ExecStage, ExecSuiteOptions } from "./exec/index.js";
export { defineModelSuite } from "./models/index.js";
export type {
  ModelAbility,
  ModelAnswer,
  ModelAnswerPart,
  ModelAnswerUsage,
  ModelStage,
  ModelSuiteOptions,
} from "./models/index.js";
