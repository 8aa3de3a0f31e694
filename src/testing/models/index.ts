export { defineModelSuite } from "./suite.js";
export type {
  ModelAbility,
  ModelAnswer,
  ModelAnswerPart,
  ModelAnswerUsage,
  ModelStage,
  ModelSuiteOptions,
} from "./stage.js";
