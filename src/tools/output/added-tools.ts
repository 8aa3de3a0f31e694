import { ToolError } from "../errors.js";
import { isToolName } from "../tool-name.js";

export const MAX_ADDED_TOOLS = 128;

/** The names that are not yet among `added`, each once. */
export function checkAddedTools(names: readonly string[], added: readonly string[]): string[] {
  const fresh = [...new Set(names)].filter((name) => !added.includes(name));
  const wrong = fresh.find((name) => !isToolName(name));
  if (wrong !== undefined)
    throw new ToolError("invalid_argument", `addTools cannot add "${wrong}": no tool has such a name.`);
  if (added.length + fresh.length > MAX_ADDED_TOOLS) {
    throw new ToolError(
      "too_many_tools",
      `A call adds at most ${MAX_ADDED_TOOLS} tools; these would make ${added.length + fresh.length}.`,
    );
  }
  return fresh;
}
