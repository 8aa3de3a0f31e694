import type { Tracker } from "../../delta/index.js";
import type { ToolOutputState } from "../../protocol/index.js";
import { ToolError } from "../errors.js";

/** As UTF-8 JSON. */
export const MAX_DETAILS_BYTES = 256 * 1_024;

/** Keeps a call's details within their limit: what exceeds it is undone before anyone is sent it. */
export class OutputDetails {
  readonly #tracker: Tracker<ToolOutputState>;
  /** The details as JSON when they were last found within the limit. */
  #good: string;
  /** Whether the tool ever took hold of them: only then can they have changed. */
  #isTaken = false;

  constructor(tracker: Tracker<ToolOutputState>) {
    this.#tracker = tracker;
    this.#good = JSON.stringify(tracker.state.details);
  }

  /** The live details, to be changed in place. */
  take(): ToolOutputState["details"] {
    this.#isTaken = true;
    return this.#tracker.state.details;
  }

  /** Throws `details_too_large`, and then changed nothing. */
  assign(details: ToolOutputState["details"] | undefined): void {
    this.#isTaken = true;
    this.#tracker.state.details = details ?? {};
    const fault = this.check();
    if (fault !== undefined) throw fault;
  }

  /** Gives the error where the details had grown beyond the limit, after it took back what changed since the last check. */
  check(): ToolError | undefined {
    if (!this.#isTaken) return undefined;
    const json = JSON.stringify(this.#tracker.state.details);
    const bytes = Buffer.byteLength(json);
    if (bytes <= MAX_DETAILS_BYTES) {
      this.#good = json;
      return undefined;
    }
    this.#tracker.state.details = JSON.parse(this.#good) as ToolOutputState["details"];
    return new ToolError(
      "details_too_large",
      `details have at most ${MAX_DETAILS_BYTES} bytes as JSON, these have ${bytes}; put large data into the text or a file.`,
    );
  }
}
