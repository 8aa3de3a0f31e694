import { z } from "zod";
import type { Json } from "../protocol/index.js";
import { ModelError } from "./contract.js";

/** What a scripted model says: one list of steps for each of its answers. */
export interface Script {
  readonly version: typeof SCRIPT_VERSION;
  readonly turns: readonly (readonly ScriptStep[])[];
}

export type ScriptStep = ScriptText | ScriptToolCall;

export interface ScriptText {
  readonly type: "text";
  readonly text: string;
  /** How long the model waits before this step, in milliseconds. */
  readonly delayMs?: number | undefined;
}

export interface ScriptToolCall {
  readonly type: "toolCall";
  readonly name: string;
  readonly args: { readonly [key: string]: Json };
  /** How long the model waits before this step, in milliseconds. */
  readonly delayMs?: number | undefined;
}

export const SCRIPT_VERSION = 1;
export const MAX_SCRIPT_DELAY_MS = 3_600_000;
export const MAX_SCRIPT_TURNS = 10_000;
export const MAX_SCRIPT_STEPS = 1_000;

const delayMs = z.int().min(0).max(MAX_SCRIPT_DELAY_MS).optional();

const stepSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string(), delayMs }),
  z.strictObject({
    type: z.literal("toolCall"),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "must be 1 to 64 characters of a-z, A-Z, 0-9, _ and -"),
    args: z.record(z.string(), z.json()),
    delayMs,
  }),
]);

const scriptSchema = z.strictObject({
  version: z.literal(SCRIPT_VERSION),
  turns: z.array(z.array(stepSchema).max(MAX_SCRIPT_STEPS)).max(MAX_SCRIPT_TURNS),
});

/**
 * Reads a script from its JSON text, or checks one that was parsed before. Throws `invalid_script` with the place of the
 * first fault: an unknown key, another version, a value of the wrong type.
 */
export function parseScript(input: unknown): Script {
  const parsed = scriptSchema.safeParse(typeof input === "string" ? parseJson(input) : input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = formatPlace(issue?.path ?? []);
  throw new ModelError("invalid_script", `The script is not valid at ${place}: ${issue?.message ?? "unknown fault"}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ModelError("invalid_script", `The script is not JSON: ${why}.`, { cause });
  }
}

/** Such as `turns[0][2].args`; the whole script is `the top`. */
function formatPlace(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the top";
  return path
    .map((segment) => (typeof segment === "number" ? `[${segment}]` : `.${String(segment)}`))
    .join("")
    .replace(/^\./, "");
}
