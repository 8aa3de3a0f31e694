import { ExecError } from "../errors.js";
import { MAX_NOISE_BYTES, PREAMBLE } from "./limits.js";

const MARK = Buffer.from(PREAMBLE);

/** Finds where a host begins to speak, behind whatever a login shell printed. */
export class PreambleSearch {
  #seen = Buffer.alloc(0);

  /**
   * What follows the preamble, once it has come; until then undefined.
   * @throws {ExecError} `link_refused` where too much else comes; its beginning is in the message.
   */
  push(bytes: Buffer): Buffer | undefined {
    this.#seen = Buffer.concat([this.#seen, bytes]);
    const at = this.#seen.indexOf(MARK);
    if (at >= 0) return this.#seen.subarray(at + MARK.length);
    if (this.#seen.length <= MAX_NOISE_BYTES) return undefined;
    throw new ExecError("link_refused", `no exec host answers; instead comes: ${this.heard}`);
  }

  /** The beginning of what came, for a message. */
  get heard(): string {
    return JSON.stringify(this.#seen.toString("utf8", 0, MAX_QUOTED_BYTES));
  }
}

const MAX_QUOTED_BYTES = 200;
