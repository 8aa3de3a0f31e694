import type { Decision } from "../../harness/index.js";

/** What is said beside a question. */
export const ANSWERS = "y yes · n no, or n and why · a always · then Enter";

/** What is said where a typed line is no answer; it stays to be changed. */
export function describeUnclear(tool: string): string {
  return `${tool} waits: ${ANSWERS}; Ctrl-U clears what is typed`;
}

/** A typed line as a decision: `y`, `a`, `n`, or `n` with what the model is told. Undefined for anything else. */
export function readDecision(line: string): Decision | undefined {
  const text = line.trim();
  if (/^(y|yes)$/i.test(text)) return { decision: "allow" };
  if (/^(a|always)$/i.test(text)) return { decision: "allow", always: true };
  const [, reason] = /^(?:no|n)(?:[\s,.:;–-]+(.*))?$/is.exec(text) ?? [];
  if (!/^(no|n)\b/i.test(text)) return undefined;
  return reason === undefined || reason === "" ? { decision: "deny" } : { decision: "deny", reason };
}
