import type { AssistantPart, ContentBlock, Json, StopReason, ToolCallId, Usage } from "../protocol/index.js";

/** A language model, as the harness asks it. Adapters translate; nothing of a provider's shapes gets past them. */
export interface Model {
  /** Such as `script:build` or `anthropic:…`. */
  readonly id: string;

  /**
   * Answers with one stream of parts that ends with `finish`. Throws {@link ModelError} for what goes wrong, and the
   * signal's reason when it aborts.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

export interface ModelRequest {
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
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

/** `call` tells the calls of one answer apart: 0, 1, … in the order of their starts. Text is new text, never all of it. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "toolCallStart"; readonly call: number; readonly name: string; readonly providerCallId?: string }
  | { readonly type: "toolCallInput"; readonly call: number; readonly text: string }
  | { readonly type: "toolCallEnd"; readonly call: number }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: StopReason };

/**
 * - `invalid_script`: a scripted model's file is not what it must be.
 * - `script_exhausted`: the script has no turn left.
 * - `unauthorized`, `rate_limited`, `overloaded`, `context_too_long`, `bad_request`, `bad_response`, `connection`: of a
 *   provider.
 */
export type ModelErrorCode =
  | "invalid_script"
  | "script_exhausted"
  | "unauthorized"
  | "rate_limited"
  | "overloaded"
  | "context_too_long"
  | "bad_request"
  | "bad_response"
  | "connection";

export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
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
