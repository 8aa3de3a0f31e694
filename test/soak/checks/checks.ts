import { callChecks } from "./calls.js";
import { notesOf } from "./evidence.js";
import type { Evidence } from "./evidence.js";
import { laneChecks } from "./lanes.js";
import { viewerChecks } from "./viewers.js";

/** One claim of one rule, looked for in what a life has left. */
export interface Check {
  readonly rule: string;
  readonly claim: string;
  /** Where it does not hold. */
  readonly find: (evidence: Evidence) => readonly string[];
}

export interface Violation {
  readonly rule: string;
  readonly claim: string;
  readonly place: string;
}

export const CHECKS: readonly Check[] = [...callChecks, ...laneChecks, ...viewerChecks];

export function findViolations(evidence: Evidence): readonly Violation[] {
  const found = CHECKS.flatMap(({ rule, claim, find }) => find(evidence).map((place) => ({ rule, claim, place })));
  const noted = notesOf(evidence, "violation").map(({ rule, place }) => ({
    rule,
    claim: "seen by the process itself",
    place,
  }));
  return [...found, ...noted];
}
