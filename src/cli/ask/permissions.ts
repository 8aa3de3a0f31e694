import type { PermissionPolicy } from "../../harness/index.js";

/** The tools that change something, or can do anything. */
const GUARDED = ["bash", "write", "edit"] as const;

export interface PermissionChoice {
  /** Whether every call may be run: somebody said so, or a sandbox holds what it changes. */
  readonly allowsAll: boolean;
  /** Whether somebody is there to be asked. */
  readonly isPerson: boolean;
  /** That of the session before. */
  readonly stored: PermissionPolicy | undefined;
}

/**
 * What the model may call: a person is asked about what changes something, a program is refused. What was allowed for always
 * stays so; what was allowed by an option does not.
 */
export function choosePolicy({ allowsAll, isPerson, stored }: PermissionChoice): PermissionPolicy {
  if (allowsAll) return { tools: {}, others: "allow" };
  const otherwise = isPerson ? "ask" : "refuse";
  const tools = GUARDED.map((name) => [name, stored?.tools[name] === "allow" ? "allow" : otherwise] as const);
  return { tools: Object.fromEntries(tools), others: "allow" };
}
