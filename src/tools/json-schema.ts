import type { ErrorObject } from "ajv";
import type { Json } from "../protocol/index.js";
import { ToolError } from "./errors.js";
import type { JsonToolSchema, StandardIssue } from "./schema.js";

/** What of `args` does not fit a raw JSON Schema: draft-07 where it says so, else 2020-12. */
export async function findJsonSchemaIssues(
  toolName: string,
  schema: JsonToolSchema,
  args: unknown,
): Promise<readonly StandardIssue[]> {
  const validate = await compileSchema(toolName, schema);
  if (validate(args)) return [];
  return (validate.errors ?? []).map(describeError);
}

// The validator is loaded when a raw schema is first used: most tools state a Standard Schema and never need it.
async function compileSchema(toolName: string, schema: JsonToolSchema): Promise<Validate> {
  // Checking the schema against its own schema takes a hundred times longer than compiling it, which finds faults too.
  const options = { allErrors: true, strict: false, validateFormats: false, meta: false, validateSchema: false };
  const isDraft7 = typeof schema["$schema"] === "string" && schema["$schema"].includes("draft-07");
  try {
    if (!isDraft7) return new (await import("ajv/dist/2020.js")).Ajv2020(options).compile(schema);
    return new (await import("ajv")).Ajv(options).compile(schema);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("invalid_tool", `The parameters of ${toolName} are no usable JSON Schema: ${why}`, { cause });
  }
}

interface Validate {
  (args: unknown): boolean;
  readonly errors?: readonly ErrorObject[] | null;
}

/** The validator names a missing or surplus field apart from the path; here it is part of it. */
function describeError({ instancePath, keyword, params, message = keyword }: ErrorObject): StandardIssue {
  const path = instancePath.split("/").slice(1).map(readSegment);
  const field: unknown = params["missingProperty"] ?? params["additionalProperty"] ?? params["unevaluatedProperty"];
  if (typeof field !== "string") return { path, message: describeAllowed(message, params["allowedValues"]) };
  const what = keyword === "required" || keyword === "dependentRequired" ? "is missing" : "is not known";
  return { path: [...path, field], message: what };
}

function describeAllowed(message: string, allowed: Json | undefined): string {
  return Array.isArray(allowed) ? `${message}: ${allowed.map((value) => JSON.stringify(value)).join(", ")}` : message;
}

function readSegment(segment: string): PropertyKey {
  const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
  return /^\d+$/.test(key) ? Number(key) : key;
}
