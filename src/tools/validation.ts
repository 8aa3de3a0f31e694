import type { AgentHarnessTool } from "./contract.js";
import { ToolError } from "./errors.js";
import { findJsonSchemaIssues } from "./json-schema.js";
import { isStandardSchema } from "./schema.js";
import type { StandardIssue, ToolParameters, ToolSchema } from "./schema.js";

const MAX_NAMED_ISSUES = 8;

/**
 * What `execute` gets for the arguments that a model stated: the schema's output, defaults filled in. Rejects with
 * `invalid_parameters`, naming each field that does not fit, so that the model can state them anew.
 */
export async function validateParameters<Schema extends ToolSchema>(
  tool: Pick<AgentHarnessTool<never, Schema>, "name" | "parameters">,
  args: unknown,
): Promise<ToolParameters<Schema>> {
  const { parameters } = tool;
  if (isStandardSchema(parameters)) {
    const result = await parameters["~standard"].validate(args);
    if (result.issues !== undefined) throw refuse(tool.name, result.issues);
    return result.value as ToolParameters<Schema>;
  }
  const issues = await findJsonSchemaIssues(tool.name, parameters, args);
  if (issues.length > 0) throw refuse(tool.name, issues);
  return args as ToolParameters<Schema>;
}

function refuse(name: string, issues: readonly StandardIssue[]): ToolError {
  const named = issues.slice(0, MAX_NAMED_ISSUES).map(describeIssue);
  if (issues.length > named.length) named.push(`and ${issues.length - named.length} more`);
  return new ToolError(
    "invalid_parameters",
    `The arguments of ${name} do not fit its parameters: ${named.join("; ")}.`,
  );
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const field = path.map(describeSegment).join("").replace(/^\./, "");
  return field === "" ? message : `${field}: ${message}`;
}

function describeSegment(segment: PropertyKey | { readonly key: PropertyKey }): string {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "number" ? `[${key}]` : `.${String(key)}`;
}
