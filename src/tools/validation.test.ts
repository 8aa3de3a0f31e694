import { expect, test } from "vitest";
import { z } from "zod";
import { toolDefinition } from "./definition.js";
import type { JsonToolSchema, ToolSchema } from "./schema.js";
import { validateParameters } from "./validation.js";

const editSchema = z.strictObject({
  path: z.string(),
  edits: z.array(z.strictObject({ old: z.string(), count: z.number().int().default(1) })).min(1),
});

const rawSchema: JsonToolSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    mode: { enum: ["fast", "safe"] },
    edits: { type: "array", items: { type: "object", properties: { old: { type: "string" } }, required: ["old"] } },
  },
  required: ["path"],
  additionalProperties: false,
};

const refusal = (parameters: ToolSchema, args: unknown): Promise<unknown> =>
  validateParameters({ name: "edit", parameters }, args).then(
    () => "taken",
    (error: unknown) => error,
  );

test("[T7] a schema's output reaches the tool, defaults filled in", async () => {
  const params = await validateParameters(
    { name: "edit", parameters: editSchema },
    { path: "a", edits: [{ old: "x" }] },
  );

  expect(params).toEqual({ path: "a", edits: [{ old: "x", count: 1 }] });
});

test.each<[string, ToolSchema, unknown, RegExp]>([
  ["missing", editSchema, { edits: [{ old: "x" }] }, /path: .*string/],
  ["wrong type, deep", editSchema, { path: "a", edits: [{ old: "x" }, { old: 7 }] }, /edits\[1\]\.old: .*string/],
  ["surplus", editSchema, { path: "a", edits: [{ old: "x" }], extra: 1 }, /extra/],
  ["no object", editSchema, "a", /object/],
  ["missing, raw", rawSchema, {}, /path: is missing/],
  ["missing, raw and deep", rawSchema, { path: "a", edits: [{ old: "x" }, {}] }, /edits\[1\]\.old: is missing/],
  ["wrong type, raw", rawSchema, { path: 7 }, /path: must be string/],
  ["surplus, raw", rawSchema, { path: "a", pth: "b" }, /pth: is not known/],
  ["choice, raw", rawSchema, { path: "a", mode: "slow" }, /mode: .*"fast", "safe"/],
  ["no object, raw", rawSchema, [], /must be object/],
])("[T7] what does not fit is refused with the field's name: %s", async (_what, schema, args, message) => {
  expect(await refusal(schema, args)).toMatchObject({
    code: "invalid_parameters",
    message: expect.stringMatching(message),
  });
});

test("[T7] every fault of a call is named at once, but not without end", async () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`surplus${index}`, index]));

  const error = await refusal(rawSchema, many);

  expect(error).toMatchObject({ message: expect.stringMatching(/path: is missing; surplus0: .*; and 43 more\.$/) });
});

test("[T7] a raw schema may be of draft-07, and one that is none is the tool's fault", async () => {
  const draft7 = { ...rawSchema, $schema: "http://json-schema.org/draft-07/schema#" };
  const broken: JsonToolSchema = { type: "object", properties: { path: { type: "strin" } } };

  expect(await refusal(draft7, { path: "a" })).toBe("taken");
  expect(await refusal(draft7, {})).toMatchObject({ code: "invalid_parameters" });
  expect(await refusal(broken, {})).toMatchObject({ code: "invalid_tool" });
});

test("[T7] a schema is stated to the model as JSON Schema, whichever kind it is", () => {
  const describe = (parameters: ToolSchema): unknown =>
    toolDefinition({ name: "edit", description: "Edits.", parameters }).parameters;

  expect(describe(rawSchema)).toEqual(rawSchema);
  expect(describe(editSchema)).toMatchObject({
    type: "object",
    required: ["path", "edits"],
    additionalProperties: false,
  });
});

test.each<[string, string, ToolSchema]>([
  ["a name with a space", "my tool", rawSchema],
  ["no name", "", rawSchema],
  ["a long name", "x".repeat(65), rawSchema],
  ["parameters that are no object", "list", z.array(z.string())],
  ["parameters that JSON Schema cannot state", "when", z.object({ at: z.date() })],
])("[T7] a tool that no model can be told of is refused: %s", (_what, name, parameters) => {
  expect(() => toolDefinition({ name, description: "", parameters })).toThrow(
    expect.objectContaining({ code: "invalid_tool" }),
  );
});
