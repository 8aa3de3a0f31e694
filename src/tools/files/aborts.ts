import { ToolError } from "../errors.js";

/** How things stand when a call is stopped, in words that end its error. */
export type StateInWords = () => string;

/** @throws {ToolError} `call_aborted` once the call is to stop. */
export function checkAborted(signal: AbortSignal, state?: StateInWords): void {
  if (signal.aborted) throw describeAbort(signal, state);
}

/** The outcome of work, which is left to itself as soon as the call is to stop, wherever it hangs. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>, state?: StateInWords): Promise<T> {
  checkAborted(signal, state);
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(describeAbort(signal, state));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function describeAbort({ reason }: AbortSignal, state?: StateInWords): ToolError {
  const why: unknown = reason instanceof Error ? reason.message : reason;
  const because = typeof why === "string" && why !== "" ? `: ${why}` : "";
  return new ToolError(
    "call_aborted",
    `The call was aborted before it was done${because}${state === undefined ? "" : `; ${state()}`}`,
  );
}
