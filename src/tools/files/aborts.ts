import { ToolError } from "../errors.js";

/** @throws {ToolError} `call_aborted` once the call is to stop. */
export function checkAborted(signal: AbortSignal): void {
  if (signal.aborted) throw describeAbort(signal);
}

/** The outcome of what only looks at things; given up as soon as the call is to stop, wherever it hangs. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  checkAborted(signal);
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(describeAbort(signal));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function describeAbort({ reason }: AbortSignal): ToolError {
  const why: unknown = reason instanceof Error ? reason.message : reason;
  const because = typeof why === "string" && why !== "" ? `: ${why}` : "";
  return new ToolError("call_aborted", `The call was aborted before it was done${because}`);
}
