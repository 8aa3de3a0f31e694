import { McpError } from "../errors.js";

/** Bounds how many calls run at a time. */
export class CallSlots {
  readonly #max: number;
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Gives the function that frees the slot. @throws {McpError} `too_many_calls` */
  take(): () => void {
    if (this.#taken >= this.#max) {
      throw new McpError(
        "too_many_calls",
        `${this.#taken} calls run, and at most ${this.#max} may at a time; wait for one, or end one with bash_kill`,
      );
    }
    this.#taken += 1;
    let isTaken = true;
    return () => {
      if (isTaken) this.#taken -= 1;
      isTaken = false;
    };
  }
}
