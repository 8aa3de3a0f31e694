import { describeCause, SyncFailure } from "./failures.js";
import type { LogFile } from "./log-file.js";
import type { JsonlParts } from "./parts.js";

/** Decides when a file is rewritten. What fails is tried again when the file has grown by `margin` bytes. */
export class DueRewriting {
  readonly #report: JsonlParts["report"];
  readonly #margin: number;
  #above = 0;

  constructor(report: JsonlParts["report"], margin: number) {
    this.#report = report;
    this.#margin = margin;
  }

  isDue({ length }: LogFile, mayBe: number): boolean {
    return length > Math.max(mayBe, this.#above);
  }

  /** Rewrites a file that is longer than it may be. Fails only where a sync does. */
  async run({ path, length }: LogFile, rewrite: () => Promise<unknown>): Promise<void> {
    try {
      await rewrite();
      this.#above = 0;
    } catch (cause) {
      if (cause instanceof SyncFailure) throw cause;
      this.#above = length + this.#margin;
      const message = `${path} could not be rewritten without its dead bytes: ${describeCause(cause)}.`;
      this.#report({ kind: "rewrite_failed", file: path, message, cause });
    }
  }
}
