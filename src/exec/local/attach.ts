import { ExecError } from "../errors.js";
import { failed } from "../result.js";
import type { Outcome, OutputStream } from "./execution.js";
import type { UpdateListener } from "./followers.js";

export interface AttachEnd {
  readonly outcome: Outcome;
  /** Whether the execution ended, rather than the caller's interest in it. */
  readonly complete: boolean;
}

/**
 * Follows an execution that is under way: the view as it is now, then every change of it, then its outcome. A caller that
 * aborts, or that cannot take an update, is let go; the execution goes on.
 */
export function attachTo(
  stream: OutputStream,
  listener: UpdateListener,
  signal: AbortSignal | undefined,
): Promise<AttachEnd> {
  return new Promise((resolve) => {
    let drop = (): void => undefined;
    let hasLeft = false;
    const leave = (outcome: Outcome, complete: boolean): void => {
      hasLeft = true;
      drop();
      signal?.removeEventListener("abort", detach);
      resolve({ outcome, complete });
    };
    const detach = (): void => {
      leave(failed(new ExecError("aborted", "detached from the execution, which goes on")), false);
    };
    const fail = (cause: unknown): void => {
      const message = `detached from the execution, which goes on: the receiver of its updates failed: ${String(cause)}`;
      leave(failed(new ExecError("internal", message, { cause })), false);
    };
    if (signal?.aborted === true) {
      detach();
      return;
    }
    signal?.addEventListener("abort", detach, { once: true });
    try {
      listener(stream.capture.snapshot());
    } catch (cause) {
      fail(cause);
      return;
    }
    // The listener may have had enough of the view alone.
    if (hasLeft) return;
    drop = stream.followers.add(listener, fail);
    stream.end.then(
      (outcome) => leave(outcome, true),
      (cause: unknown) => fail(cause),
    );
  });
}
