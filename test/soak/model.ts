import { createScriptedModel } from "../../src/models/index.js";
import type { Model, ModelMessage, ModelPart, ModelRequest } from "../../src/models/index.js";
import { readPlan } from "./plan.js";
import type { Plan } from "./plan.js";

/** Does what the last plan in the conversation says; to what is said after that plan has ended, it answers with a word. */
export function createPlanModel(onRequest: (request: ModelRequest) => void): Model {
  const models = new Map<string, Model>();
  return { id: "script:soak", stream };

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    onRequest(request);
    const { plan, index } = findPlan(request.messages);
    const answers = request.messages.slice(index).filter(({ role }) => role === "assistant").length;
    if (plan === undefined || answers >= plan.script.turns.length) {
      yield { type: "text", text: "I have heard it." };
      yield* finish("end");
      return;
    }
    const preceding = request.messages.slice(0, index).filter(({ role }) => role === "assistant").length;
    const key = `${plan.id} ${preceding}`;
    const model = models.get(key) ?? createScriptedModel(plan.script, { precedingAnswers: preceding });
    models.set(key, model);
    for await (const part of model.stream(request, signal)) {
      if (part.type === "finish") yield* finish(part.reason);
      else yield part;
    }
  }
}

function* finish(reason: "end" | "toolCalls" | "maxTokens" | "aborted" | "error"): Generator<ModelPart> {
  yield { type: "usage", usage: { inputTokens: 10, outputTokens: 1 } };
  yield { type: "finish", reason };
}

function findPlan(messages: readonly ModelMessage[]): { readonly plan: Plan | undefined; readonly index: number } {
  const index = messages.findLastIndex((message) => message.role === "user" && readPlan(message.text) !== undefined);
  const message = messages[index];
  return { plan: message?.role === "user" ? readPlan(message.text) : undefined, index: Math.max(0, index) };
}
