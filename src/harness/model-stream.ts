import type { Clock } from "../exec/index.js";
import { ModelError } from "../models/index.js";
import type { Model, ModelPart, ModelRequest } from "../models/index.js";
import type { StopReason } from "../protocol/index.js";
import { untilAborted } from "./until.js";

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** How long the model may give nothing. */
  readonly stallMs: number;
}

/** Asks the model once and hands on its parts until it finishes. A model that gives nothing for too long has failed. */
export async function streamModel(
  model: Model,
  request: ModelRequest,
  take: (part: ModelPart) => void,
  { signal, clock, stallMs }: StreamOptions,
): Promise<StopReason> {
  signal.throwIfAborted();
  const watch = new AbortController();
  const both = AbortSignal.any([signal, watch.signal]);
  const parts = model.stream(request, both)[Symbol.asyncIterator]();
  let timer: { cancel(): void } | undefined;
  const stall = (): void => watch.abort(stalled(model, stallMs));
  try {
    for (;;) {
      timer = clock.after(stallMs, stall);
      const next = await untilAborted(parts.next(), both);
      timer.cancel();
      if (next.done === true) throw new ModelError("bad_response", "The model's answer ended without a finish.");
      take(next.value);
      if (next.value.type === "finish") return next.value.reason;
    }
  } finally {
    timer?.cancel();
    // Not awaited: a model that does not heed its signal must not hold the operation.
    parts.return?.().catch(() => undefined);
  }
}

function stalled(model: Model, stallMs: number): ModelError {
  return new ModelError("connection", `The model ${model.id} gave nothing for ${stallMs} ms.`, { retryable: true });
}
