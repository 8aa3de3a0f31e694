import type { Model, ModelMessage, ModelPart, ModelRequest } from "./contract.js";
import { ModelError } from "./contract.js";
import { RETRYABLE_CODES } from "./retryable-codes.js";
import { MAX_SCRIPT_DELAY_MS } from "./script.js";
import type { Script, ScriptCut, ScriptError, ScriptStall, ScriptStep, ScriptToolCall } from "./script.js";

export interface ScriptedModelOptions {
  /** Default `script`. */
  readonly id?: string | undefined;
  /** Assistant messages that stood in the lane before the script's first turn; asked for at every turn. Default 0. */
  readonly precedingAnswers?: number | (() => number) | undefined;
  /** Most code units of text or call input in one part. Default 64. */
  readonly partLength?: number | undefined;
  readonly clock?: ScriptClock | undefined;
}

/** Time as the script sees it; every clock with timers fits. */
export interface ScriptClock {
  after(delayMs: number, callback: () => void): { cancel(): void };
}

const DEFAULT_PART_LENGTH = 64;

/**
 * A model that says what a script states. It answers with turn n when the request holds n assistant messages, so what it
 * says depends on the request alone and stays the same after a restart. How often a turn failed already, it counts by itself.
 */
export function createScriptedModel(script: Script, options: ScriptedModelOptions = {}): Model {
  const clock = options.clock ?? realClock;
  const partLength = Math.max(2, options.partLength ?? DEFAULT_PART_LENGTH);
  /** Requests that failed, by the turn that they asked for. */
  const failures = new Map<number, number>();
  return {
    id: options.id ?? "script",
    stream: streamTurn,
  };

  async function* streamTurn(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const index = request.messages.filter(isAnswer).length - countPreceding(options);
    const turn = findTurn(script, index);
    const tries = (failures.get(index) ?? 0) + 1;
    let call = 0;
    for (const step of turn) {
      signal.throwIfAborted();
      if (isFailure(step) && tries > (step.times ?? Infinity)) continue;
      if (step.delayMs !== undefined && step.delayMs > 0) await delay(clock, step.delayMs, signal);
      if (step.type === "text") {
        yield* streamText(step.text, signal);
      } else if (step.type === "toolCall") {
        yield* streamCall(call, step, signal);
        call += 1;
      } else {
        failures.set(index, tries);
        yield* fail(call, step, signal);
      }
    }
    signal.throwIfAborted();
    yield { type: "finish", reason: call > 0 ? "toolCalls" : "end" };
  }

  async function* streamText(text: string, signal: AbortSignal): AsyncGenerator<ModelPart> {
    for (const part of splitText(text, partLength)) {
      signal.throwIfAborted();
      yield { type: "text", text: part };
    }
  }

  async function* streamCall(call: number, step: ScriptToolCall, signal: AbortSignal): AsyncGenerator<ModelPart> {
    yield* streamInput(call, step.name, JSON.stringify(step.args), signal);
    yield { type: "toolCallEnd", call };
  }

  async function* streamInput(
    call: number,
    name: string,
    input: string,
    signal: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    yield { type: "toolCallStart", call, name };
    for (const part of splitText(input, partLength)) {
      signal.throwIfAborted();
      yield { type: "toolCallInput", call, text: part };
    }
  }

  async function* fail(call: number, step: ScriptFailing, signal: AbortSignal): AsyncGenerator<ModelPart, never> {
    if (step.type === "error") throw makeError(step);
    if (step.type === "cut") {
      if (step.call !== undefined) yield* streamInput(call, step.call.name, step.call.input, signal);
      throw new ModelError("connection", "The stream broke off, as the script says.", { retryable: true });
    }
    for (;;) await delay(clock, MAX_SCRIPT_DELAY_MS, signal);
  }
}

type ScriptFailing = ScriptError | ScriptStall | ScriptCut;

function isFailure(step: ScriptStep): step is ScriptFailing {
  return step.type === "error" || step.type === "stall" || step.type === "cut";
}

function makeError({ code, message, retryable, retryAfterMs }: ScriptError): ModelError {
  return new ModelError(code, message ?? `The provider failed with ${code}, as the script says.`, {
    retryable: retryable ?? RETRYABLE_CODES.has(code),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function findTurn(script: Script, index: number): readonly ScriptStep[] {
  const turn = script.turns[index];
  if (turn !== undefined) return turn;
  throw new ModelError(
    "script_exhausted",
    `The script has ${script.turns.length} turns and was asked for turn ${index + 1}; add a turn or end with one that calls no tool.`,
  );
}

function countPreceding({ precedingAnswers = 0 }: ScriptedModelOptions): number {
  return typeof precedingAnswers === "number" ? precedingAnswers : precedingAnswers();
}

function isAnswer(message: ModelMessage): boolean {
  return message.role === "assistant";
}

/** Cuts text into parts of at most `length` code units, never inside a surrogate pair. */
function* splitText(text: string, length: number): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + length, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function delay(clock: ScriptClock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(delayMs, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    const stop = (): void => {
      timer.cancel();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Keeps the process alive while a script waits: nothing else may be running then. */
const realClock: ScriptClock = {
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};
