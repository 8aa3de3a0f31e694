import type { Json } from "../delta/index.js";
import type { Usage } from "./tool-output.js";
import type { ToolCallId } from "./ids.js";

interface AssistantPartBase {
  /** What the provider wants back with this part, such as a signature. Nobody else reads it. */
  providerData?: Json;
}

export interface AssistantText extends AssistantPartBase {
  readonly type: "text";
  text: string;
}

/** Without text where the provider hides what was thought. */
export interface AssistantThinking extends AssistantPartBase {
  readonly type: "thinking";
  text: string;
}

/** A call as the model states it. `input` grows as raw text and is parsed once, into `args`, when it is complete. */
export interface AssistantToolCall extends AssistantPartBase {
  readonly type: "toolCall";
  readonly toolCallId: ToolCallId;
  readonly providerCallId?: string;
  readonly name: string;
  input: string;
  args?: Json;
}

export type AssistantPart = AssistantText | AssistantThinking | AssistantToolCall;

/** Why the model stopped. */
export type StopReason = "end" | "toolCalls" | "maxTokens" | "aborted" | "error";

/** All that an assistant message has given so far: tracked and sent like a tool's output. */
export interface AssistantState {
  content: AssistantPart[];
  usage?: Usage;
}
