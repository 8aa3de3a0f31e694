import type { Json } from "../../src/protocol/index.js";

/** A call in words: a command as it would be typed, other arguments one a line. */
export function describeCall(toolName: string, args: Json): string {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return `${toolName} ${JSON.stringify(args)}`;
  const { command, ...rest } = args;
  const lines = Object.entries(rest).map(([key, value]) => `${key}: ${plain(value)}`);
  if (typeof command === "string") return [`$ ${command}`, ...lines].join("\n");
  return lines.length === 0 ? toolName : lines.join("\n");
}

function plain(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
