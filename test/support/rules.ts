import type { SourceFile } from "./layers.js";

const ruleDefinition = /^- \*\*([A-Z]\d+)\*\*/gm;
const quotedRule = /\[([A-Z]\d+)\]/g;
/** The title of a test, or of a case of an exported suite. */
const testTitle = /(?:\b(?:test|it|describe)(?:\.\w+(?:\([^()]*\))?)*\(|\btitle:)\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;

/** The ids that the texts of `spec/` define. */
export function definedRules(specs: readonly SourceFile[]): Set<string> {
  return new Set(specs.flatMap((spec) => [...spec.text.matchAll(ruleDefinition)].flatMap((match) => match[1] ?? [])));
}

/** The ids that are defined more than once. */
function doubledRules(specs: readonly SourceFile[]): string[] {
  const ids = specs.flatMap((spec) => [...spec.text.matchAll(ruleDefinition)].flatMap((match) => match[1] ?? []));
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

/** The ids that test titles quote, each with the files that do. */
export function quotedRules(tests: readonly SourceFile[]): Map<string, string[]> {
  const quoted = new Map<string, string[]>();
  for (const file of tests) {
    for (const [, , title] of file.text.matchAll(testTitle)) {
      for (const [, id] of (title ?? "").matchAll(quotedRule)) {
        if (id !== undefined) quoted.set(id, [...(quoted.get(id) ?? []), file.path]);
      }
    }
  }
  return quoted;
}

/** Rules that no test quotes or that are defined twice, and quotes of rules that no spec defines. `planned` are defined but not yet built. */
export function findRuleViolations(
  specs: readonly SourceFile[],
  tests: readonly SourceFile[],
  planned: ReadonlySet<string>,
): string[] {
  const defined = definedRules(specs);
  const quoted = quotedRules(tests);
  return [
    ...doubledRules(specs).map((id) => `${id} is defined twice`),
    ...[...defined].filter((id) => !quoted.has(id) && !planned.has(id)).map((id) => `${id} has no test`),
    ...[...quoted]
      .filter(([id]) => !defined.has(id))
      .map(([id, paths]) => `${id} is quoted by ${paths.join(", ")} and defined nowhere`),
    ...[...planned].filter((id) => quoted.has(id)).map((id) => `${id} is marked as planned and has a test`),
  ];
}
