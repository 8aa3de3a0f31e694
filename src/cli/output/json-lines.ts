import type { OperationId, SessionId } from "../../protocol/index.js";
import type { RunReport } from "../report/run-report.js";
import type { TextOutput } from "../terminal/text-output.js";
import type { RunDisplay } from "./display.js";
import type { OutputWindow } from "./window.js";

/** One JSON object a line: `open`, each message as on the wire as `batch`, `report`, `error`. */
export class JsonLines implements RunDisplay {
  readonly #output: TextOutput;
  readonly #resync: () => void;
  #isBehind = false;

  /** `resync` asks for a base, which comes by `show` before it returns. */
  constructor(output: TextOutput, resync: () => void) {
    this.#output = output;
    this.#resync = resync;
  }

  open(session: SessionId, operation: OperationId | null): void {
    this.#write({ type: "open", session, operation });
  }

  // A reader that is behind misses messages and is owed a base, so that what waits for it stays bounded. Says whether
  // the message was written.
  show(_window: OutputWindow, json: string): boolean {
    if (this.#output.hasRoom) {
      this.#output.write(`{"type":"batch",${json.slice(1)}\n`);
      return true;
    }
    if (!this.#isBehind) {
      this.#isBehind = true;
      void this.#output.idle().then(() => this.#catchUp());
    }
    return false;
  }

  async finish(): Promise<void> {
    await this.#output.idle();
    this.#catchUp();
    await this.#output.idle();
  }

  async report(report: RunReport): Promise<void> {
    this.#write(report);
    await this.#output.idle();
  }

  async fail(code: string, message: string): Promise<void> {
    this.#write({ type: "error", code, message });
    await this.#output.idle();
  }

  suspend(): void {
    // Nothing of the terminal is held.
  }

  resume(): void {
    // As above.
  }

  abandon(): void {
    this.#isBehind = false;
  }

  #catchUp(): void {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.#resync();
  }

  #write(line: object): void {
    this.#output.write(`${JSON.stringify(line)}\n`);
  }
}
