import { appendText } from "../delta/index.js";
import { ModelError } from "../models/index.js";
import type { ModelPart } from "../models/index.js";
import { addUsage } from "../protocol/index.js";
import type { AssistantState, AssistantToolCall, Json } from "../protocol/index.js";

/** Folds one part of the model into an answer. `calls`: where in the content each call is. */
export function takePart(
  state: AssistantState,
  part: ModelPart,
  calls: Map<number, number>,
  newCallId: () => string,
): void {
  switch (part.type) {
    case "text":
    case "thinking": {
      const last = state.content.at(-1);
      if (last?.type === part.type && last.providerData === undefined) appendText(last, "text", part.text);
      else state.content.push({ type: part.type, text: part.text });
      return;
    }
    case "providerData": {
      const last = state.content.at(-1);
      if (last === undefined)
        throw new ModelError("bad_response", "The model gave data for a text that it did not begin.");
      last.providerData = part.providerData;
      return;
    }
    case "toolCallStart": {
      const { name, providerCallId } = part;
      calls.set(part.call, state.content.length);
      state.content.push({
        type: "toolCall",
        toolCallId: newCallId(),
        name,
        input: "",
        ...(providerCallId === undefined ? {} : { providerCallId }),
      });
      return;
    }
    case "toolCallInput":
      appendText(findCall(state, calls, part.call), "input", part.text);
      return;
    case "toolCallEnd": {
      const call = findCall(state, calls, part.call);
      parseInput(call);
      if (part.providerData !== undefined) call.providerData = part.providerData;
      return;
    }
    case "usage":
      state.usage = addUsage(state.usage ?? {}, part.usage);
      return;
    case "finish":
      return;
  }
}

function findCall(state: AssistantState, calls: Map<number, number>, call: number): AssistantToolCall {
  const part = state.content[calls.get(call) ?? -1];
  if (part?.type === "toolCall") return part;
  throw new ModelError("bad_response", `The model gave input for call ${call}, which it did not start.`);
}

/** A text that parses is kept as `args` alone; one that does not stays as it is and becomes the call's error. */
function parseInput(call: AssistantToolCall): void {
  try {
    call.args = JSON.parse(call.input === "" ? "{}" : call.input) as Json;
    call.input = "";
  } catch {
    delete call.args;
  }
}
