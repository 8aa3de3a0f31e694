import type { Model, ModelMessage, ModelPart, ModelRequest, ToolDefinition } from "../../models/index.js";
import type { AssistantPart, StopReason } from "../../protocol/index.js";
import type { SuiteAssert } from "../storage/index.js";

/** What the suite runs on: one kind of model, and how to have it say something. */
export interface ModelSuiteOptions {
  /** Registers one case. The `test` of vitest, of `node:test` and of others fits. */
  readonly test: (title: string, run: () => Promise<void>) => void;
  /** Throws on a difference; `node:assert/strict` fits. */
  readonly assert: SuiteAssert;
  /** Makes a model for one case that gives these answers, one for each request, in order. */
  readonly open: (answers: readonly ModelAnswer[]) => Promise<ModelStage>;
  /** What the model cannot do; the cases that need it are left out. */
  readonly cannot?: readonly ModelAbility[] | undefined;
}

export type ModelAbility = "think" | "state malformed input" | "reach a limit" | "count tokens";

export interface ModelStage {
  readonly model: Model;
  dispose(): Promise<void>;
}

/** An answer as a case wants it. */
export interface ModelAnswer {
  readonly parts: readonly ModelAnswerPart[];
  /** Default: `toolCalls` where there are calls, else `end`. */
  readonly reason?: StopReason | undefined;
  readonly usage?: ModelAnswerUsage | undefined;
  /** After the parts nothing comes, and no end. */
  readonly hangs?: true | undefined;
}

export type ModelAnswerPart =
  | { readonly type: "text"; readonly text: string }
  /** `data` is what the provider wants back with it; where it is hidden that is all there is. */
  | { readonly type: "thinking"; readonly text: string; readonly data?: string; readonly hidden?: true }
  /** `input` is the raw text of the arguments. */
  | { readonly type: "toolCall"; readonly name: string; readonly input: string; readonly id?: string };

export interface ModelAnswerUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** One case of the suite. Its title begins with the id of the rule that it shows. */
export interface ModelCase {
  readonly title: string;
  readonly answers: readonly ModelAnswer[];
  readonly needs?: ModelAbility;
  readonly run: (context: ModelCaseContext) => Promise<void>;
}

export interface ModelCaseContext {
  readonly model: Model;
  readonly assert: SuiteAssert;
}

export async function runCase({ open, assert }: ModelSuiteOptions, { answers, run }: ModelCase): Promise<void> {
  const stage = await open(answers);
  try {
    await run({ model: stage.model, assert });
  } finally {
    await stage.dispose();
  }
}

export const tool: ToolDefinition = {
  name: "bash",
  description: "Runs a command.",
  parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
};

export function ask(...messages: readonly ModelMessage[]): ModelRequest {
  return { system: "Be brief.", messages: [{ role: "user", text: "go" }, ...messages], tools: [tool] };
}

export async function collect(
  model: Model,
  request: ModelRequest = ask(),
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, signal)) parts.push(part);
  return parts;
}

export function join(parts: readonly ModelPart[], type: "text" | "thinking"): string {
  return parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
}

export function inputOf(parts: readonly ModelPart[], call: number): string {
  return parts.flatMap((part) => (part.type === "toolCallInput" && part.call === call ? [part.text] : [])).join("");
}

/** What a harness makes of the parts of one answer, calls named `call_1`, `call_2`, … with `first` for the first. */
export function contentOf(parts: readonly ModelPart[], first = 1): AssistantPart[] {
  const content: AssistantPart[] = [];
  for (const part of parts) {
    const last = content.at(-1);
    if (part.type === "text" || part.type === "thinking") {
      if (last?.type === part.type && last.providerData === undefined) last.text += part.text;
      else content.push({ type: part.type, text: part.text });
    } else if (part.type === "providerData" && last !== undefined) last.providerData = part.providerData;
    else if (part.type === "toolCallStart") content.push(callOf(parts, part, first));
  }
  return content;
}

function callOf(
  parts: readonly ModelPart[],
  { call, name, providerCallId }: Extract<ModelPart, { type: "toolCallStart" }>,
  first: number,
): AssistantPart {
  const input = inputOf(parts, call);
  const end = parts.find((part) => part.type === "toolCallEnd" && part.call === call);
  return {
    type: "toolCall",
    toolCallId: `call_${call + first}`,
    name,
    ...parseInput(input),
    ...(providerCallId === undefined ? {} : { providerCallId }),
    ...(end?.type === "toolCallEnd" && end.providerData !== undefined ? { providerData: end.providerData } : {}),
  };
}

function parseInput(input: string): Pick<Extract<AssistantPart, { type: "toolCall" }>, "input" | "args"> {
  try {
    return { input: "", args: JSON.parse(input === "" ? "{}" : input) };
  } catch {
    return { input };
  }
}
