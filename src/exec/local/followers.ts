import type { ShellOutputUpdate } from "../output/view.js";

export type UpdateListener = (update: ShellOutputUpdate) => void;

/** Those who are given the updates of one execution. */
export interface Followers {
  /**
   * Hands every later update to a listener until it is dropped or throws; `failed` is then told, once, and the listener
   * hears no more. Gives the function that drops it.
   */
  add(listener: UpdateListener, failed: (cause: unknown) => void): () => void;
  publish(update: ShellOutputUpdate): void;
}

export function createFollowers(): Followers {
  const followers = new Map<UpdateListener, (cause: unknown) => void>();
  return {
    add(listener, failed) {
      // One function may follow twice.
      const own: UpdateListener = (update) => listener(update);
      followers.set(own, failed);
      return () => void followers.delete(own);
    },
    publish(update) {
      for (const [listener, failed] of followers) {
        try {
          listener(update);
        } catch (cause) {
          followers.delete(listener);
          failed(cause);
        }
      }
    },
  };
}
