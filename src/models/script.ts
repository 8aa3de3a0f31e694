import { z } from "zod";
import type { Json } from "../protocol/index.js";
import { ModelError } from "./contract.js";
import type { ModelErrorCode } from "./contract.js";

/** What a scripted model says: one list of steps for each of its answers. */
export interface Script {
  readonly version: typeof SCRIPT_VERSION;
  readonly turns: readonly (readonly ScriptStep[])[];
}

export type ScriptStep = ScriptText | ScriptToolCall | ScriptError | ScriptStall | ScriptCut;

export interface ScriptText extends ScriptPause {
  readonly type: "text";
  readonly text: string;
}

export interface ScriptToolCall extends ScriptPause {
  readonly type: "toolCall";
  readonly name: string;
  readonly args: { readonly [key: string]: Json };
}

/** The provider fails here: what of the turn comes before was said, what comes after was not. */
export interface ScriptError extends ScriptPause, ScriptFailure {
  readonly type: "error";
  readonly code: ModelErrorCode;
  /** Default: words that name the code. */
  readonly message?: string | undefined;
  /** Default: what an error of this code is in general. */
  readonly retryable?: boolean | undefined;
  /** How long the provider asks to be left alone, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** The provider says nothing more, and does not end the stream either. */
export interface ScriptStall extends ScriptPause, ScriptFailure {
  readonly type: "stall";
}

/** The stream breaks off. */
export interface ScriptCut extends ScriptPause, ScriptFailure {
  readonly type: "cut";
  /** In the middle of this call, of which so much input was received. Default: between two parts. */
  readonly call?: { readonly name: string; readonly input: string } | undefined;
}

interface ScriptPause {
  /** How long the model waits before this step, in milliseconds. */
  readonly delayMs?: number | undefined;
}

interface ScriptFailure {
  /** How many requests for this turn fail so before one passes; a model that is opened anew counts anew. Default all. */
  readonly times?: number | undefined;
}

export const SCRIPT_VERSION = 1;
export const MAX_SCRIPT_DELAY_MS = 3_600_000;
export const MAX_SCRIPT_TURNS = 10_000;
export const MAX_SCRIPT_STEPS = 1_000;
export const MAX_SCRIPT_FAILURES = 1_000;

const delayMs = z.int().min(0).max(MAX_SCRIPT_DELAY_MS).optional();
const times = z.int().min(1).max(MAX_SCRIPT_FAILURES).optional();
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "must be 1 to 64 characters of a-z, A-Z, 0-9, _ and -");

/** What a provider can fail with; the rest is about names, keys and scripts. */
const failureCodes = [
  "unauthorized",
  "quota_exceeded",
  "rate_limited",
  "overloaded",
  "provider_failed",
  "model_not_found",
  "context_too_long",
  "bad_request",
  "refused",
  "bad_response",
  "connection",
] as const satisfies readonly ModelErrorCode[];

const stepSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string(), delayMs }),
  z.strictObject({ type: z.literal("toolCall"), name, args: z.record(z.string(), z.json()), delayMs }),
  z.strictObject({
    type: z.literal("error"),
    code: z.enum(failureCodes),
    message: z.string().optional(),
    retryable: z.boolean().optional(),
    retryAfterMs: z.int().min(0).max(MAX_SCRIPT_DELAY_MS).optional(),
    times,
    delayMs,
  }),
  z.strictObject({ type: z.literal("stall"), times, delayMs }),
  z.strictObject({
    type: z.literal("cut"),
    call: z.strictObject({ name, input: z.string() }).optional(),
    times,
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
