import { commitCases } from "./commits.js";
import { forkCases } from "./forks.js";
import { listCases } from "./lists.js";
import { randomCases } from "./random-history.js";
import { scopeCases } from "./scopes.js";
import { sessionCases } from "./sessions.js";
import { runCase } from "./stage.js";
import type { StorageSuiteOptions } from "./stage.js";
import { valueCases } from "./values.js";

/**
 * Registers the cases that every backend of `Storage` passes: what a commit is, values, lists, scopes and their
 * retirement, sequences, forks, openings, and random histories against a plain model.
 */
export function defineStorageSuite(options: StorageSuiteOptions): void {
  const cases = [
    ...commitCases,
    ...valueCases,
    ...listCases,
    ...scopeCases,
    ...sessionCases,
    ...forkCases,
    ...randomCases(options.seed ?? 1, options.rounds ?? 10),
  ];
  for (const one of cases) options.test(one.title, () => runCase(options, one));
}
