import type { Json } from "../protocol/index.js";
import type { AgentHarnessTool } from "./contract.js";
import { ToolError } from "./errors.js";
import { isStandardSchema } from "./schema.js";
import { isToolName } from "./tool-name.js";

/** A tool as a model is told of it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, draft 2020-12. */
  readonly parameters: Json;
}

/** Throws `invalid_tool` for a name that no provider takes, and for a schema that cannot be stated or is no object's. */
export function toolDefinition(tool: Pick<AgentHarnessTool, "name" | "description" | "parameters">): ToolDescription {
  if (!isToolName(tool.name)) {
    throw new ToolError(
      "invalid_tool",
      `A tool's name is 1 to 64 characters of a-z, A-Z, 0-9, _ and -; not "${tool.name}".`,
    );
  }
  const parameters = stateSchema(tool);
  if (parameters["type"] !== "object") {
    throw new ToolError(
      "invalid_tool",
      `The parameters of ${tool.name} must be an object; their schema states another type.`,
    );
  }
  return { name: tool.name, description: tool.description, parameters };
}

function stateSchema({ name, parameters }: Pick<AgentHarnessTool, "name" | "parameters">): { [keyword: string]: Json } {
  try {
    const stated = isStandardSchema(parameters)
      ? parameters["~standard"].jsonSchema.input({ target: "draft-2020-12" })
      : parameters;
    return JSON.parse(JSON.stringify(stated)) as { [keyword: string]: Json };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("invalid_tool", `The parameters of ${name} cannot be stated as JSON Schema: ${why}`, { cause });
  }
}
