import { answerCases } from "./answers.js";
import { runCase } from "./stage.js";
import type { ModelSuiteOptions } from "./stage.js";
import { turnCases } from "./turns.js";

/**
 * Registers the cases that every `Model` passes: what an answer's parts are, how one turn follows another, and that an abort
 * ends it. A model that cannot do something names it in `cannot`.
 */
export function defineModelSuite(options: ModelSuiteOptions): void {
  const isLeftOut = (need: string | undefined): boolean => options.cannot?.some((ability) => ability === need) ?? false;
  for (const one of [...answerCases, ...turnCases]) {
    if (!isLeftOut(one.needs)) options.test(one.title, () => runCase(options, one));
  }
}
