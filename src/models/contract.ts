import type { AssistantPart, ContentBlock, Json, StopReason, ToolCallId, Usage } from "../protocol/index.js";

/** A language model, as the harness asks it. Adapters translate; nothing of a provider's shapes gets past them. */
export interface Model {
  /** Such as `script:build` or `anthropic:…`. Holds no key. */
  readonly id: string;

  /** Most tokens that a request and its answer may have together; absent where it is not known. */
  readonly contextTokens?: number | undefined;

  /**
   * Answers with one stream of parts that ends with `finish`. Throws {@link ModelError} for what goes wrong, and the
   * signal's reason when it aborts. Asks once: trying again is the caller's.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

export interface ModelRequest {
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** Most tokens that the answer may have, thinking included. Default: as much as the model gives. */
  readonly maxOutputTokens?: number | undefined;
}

export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly content: readonly AssistantPart[] }
  | {
      readonly role: "tool";
      readonly toolCallId: ToolCallId;
      readonly providerCallId?: string;
      readonly toolName: string;
      readonly isError: boolean;
      readonly content: readonly ContentBlock[];
    };

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Json;
}

/**
 * `call` tells the calls of one answer apart: 0, 1, … in the order of their starts. Text is new text, never all of it.
 *
 * `providerData` is of the text or thinking right before it, and of a call at its end. It is kept on that part
 * ({@link AssistantPart}) and handed back with it in every later request, as it is. It ends its part: text that follows
 * is a part of its own. Thinking that the provider hides is a `thinking` without text, followed by its data.
 */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "providerData"; readonly providerData: Json }
  | { readonly type: "toolCallStart"; readonly call: number; readonly name: string; readonly providerCallId?: string }
  | { readonly type: "toolCallInput"; readonly call: number; readonly text: string }
  | { readonly type: "toolCallEnd"; readonly call: number; readonly providerData?: Json }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: StopReason };

/**
 * - `invalid_script`: a scripted model's file is not what it must be.
 * - `script_exhausted`: the script has no turn left.
 * - `invalid_model`: a model's name, address or settings are not what they must be.
 * - `key_missing`, `key_command_failed`: there is no key to ask the provider with.
 *
 * Of a provider:
 * - `unauthorized`: it does not take the key, or the key does not reach this model.
 * - `quota_exceeded`: the account has nothing left; waiting does not help.
 * - `rate_limited`: too much at once.
 * - `overloaded`: it has no capacity now.
 * - `provider_failed`: it says that it failed itself.
 * - `model_not_found`: it has no such model.
 * - `context_too_long`: the request, with what the answer may take, is more than the model holds.
 * - `bad_request`: it refuses the request for any other reason.
 * - `refused`: it does not answer this on principle.
 * - `bad_response`: what it sent is not its own protocol, or is beyond a limit.
 * - `connection`: it was not reached, or the stream broke off.
 */
export type ModelErrorCode =
  | "invalid_script"
  | "script_exhausted"
  | "invalid_model"
  | "key_missing"
  | "key_command_failed"
  | "unauthorized"
  | "quota_exceeded"
  | "rate_limited"
  | "overloaded"
  | "provider_failed"
  | "model_not_found"
  | "context_too_long"
  | "bad_request"
  | "refused"
  | "bad_response"
  | "connection";

export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** How long the provider asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ModelErrorCode,
    message: string,
    options: { readonly retryable?: boolean; readonly retryAfterMs?: number; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}
