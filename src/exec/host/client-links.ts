/** One link of a client, as far as what it asked is still being done. */
export interface ClientLink {
  /** Takes nothing more, and resolves when no file operation of it is under way. */
  retire(): Promise<void>;
}

/**
 * The newest link of each client. A client that comes over a new link asks again what had no answer, so what it had asked over
 * the old one must be done by then, or never be: else a write that was slow would undo what came after it.
 */
export interface ClientLinks {
  /** Resolves when the client's older link does nothing more. */
  replace(client: string, link: ClientLink): Promise<void>;
  /** The link is gone, and nothing of it is under way. */
  forget(client: string, link: ClientLink): void;
}

export function createClientLinks(): ClientLinks {
  const newest = new Map<string, ClientLink>();
  return {
    async replace(client, link) {
      const before = newest.get(client);
      newest.set(client, link);
      if (before !== link) await before?.retire();
    },
    forget(client, link) {
      if (newest.get(client) === link) newest.delete(client);
    },
  };
}
