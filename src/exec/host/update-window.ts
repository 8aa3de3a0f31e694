import { UPDATE_WINDOW_BYTES } from "../link/limits.js";

/**
 * What may be on the way to a client. Updates are sent while there is room; who finds none waits for it, and then begins
 * anew with a `replace`, so a client that does not read costs no more than the window, or one frame where that is larger.
 */
export interface UpdateWindow {
  /** Sends where there is room. */
  offer(send: () => void): boolean;
  /** Resolves when there is room, or nothing can be sent any more. */
  room(): Promise<void>;
  sent(bytes: number): void;
  /** Bytes that the client took since the beginning. */
  acknowledge(bytes: number): void;
  close(): void;
}

export function createUpdateWindow(): UpdateWindow {
  let sentBytes = 0;
  let takenBytes = 0;
  let closed = false;
  const waiting = new Set<() => void>();

  // One that is larger than all of the window can only go alone.
  const hasRoom = (): boolean => closed || sentBytes - takenBytes < UPDATE_WINDOW_BYTES;

  function wake(): void {
    const woken = Array.from(waiting);
    waiting.clear();
    for (const resolve of woken) resolve();
  }

  return {
    offer(send) {
      if (!hasRoom()) return false;
      send();
      return true;
    },
    async room() {
      while (!hasRoom()) await new Promise<void>((resolve) => waiting.add(resolve));
    },
    sent(bytes) {
      sentBytes += bytes;
    },
    acknowledge(bytes) {
      // Never more than was sent, whatever a client says.
      takenBytes = Math.max(takenBytes, Math.min(bytes, sentBytes));
      if (hasRoom()) wake();
    },
    close() {
      closed = true;
      wake();
    },
  };
}
