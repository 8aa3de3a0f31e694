import type { Json } from "../protocol/index.js";

/** A Standard Schema that can also state itself as JSON Schema, such as a zod 4 schema. */
export interface StandardToolSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A raw JSON Schema of an object. */
export interface JsonToolSchema {
  readonly type: "object";
  readonly [keyword: string]: Json | undefined;
}

export type ToolSchema = StandardToolSchema | JsonToolSchema;

/** What `execute` gets: the schema's output, or any JSON where the schema is raw. */
export type ToolParameters<Schema extends ToolSchema> =
  Schema extends StandardToolSchema<infer _Input, infer Output> ? Output : { [key: string]: Json };

export function isStandardSchema(schema: ToolSchema): schema is StandardToolSchema {
  return "~standard" in schema;
}
