import { createBroadcast } from "../../facet/index.js";
import type { ChatState, FacetSubscription } from "../../facet/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { Change } from "../../wire/client/index.js";
import type { CliContext } from "../context.js";
import { holdsNothing } from "../output/display.js";
import { JsonLines } from "../output/json-lines.js";
import { openWindow } from "../output/window.js";
import { openTextOutput } from "../terminal/text-output.js";
import type { TextOutput } from "../terminal/text-output.js";
import type { AttachedDisplay } from "./attached-display.js";

/** The session's messages with numbers of this process's own, since it may connect many times. */
export class AttachedJson implements AttachedDisplay {
  readonly suspend = holdsNothing.suspend;
  readonly resume = holdsNothing.resume;
  readonly abandon = holdsNothing.abandon;
  readonly #output: TextOutput;
  readonly #lines: JsonLines;
  readonly #broadcast = createBroadcast(() => structuredClone(this.#value ?? {}));
  readonly #session: SessionId;
  #value: ChatState | undefined;
  #subscription: FacetSubscription | undefined;
  #isLost = false;

  constructor(session: SessionId, { stdout }: Pick<CliContext, "stdout">) {
    this.#session = session;
    this.#output = openTextOutput(stdout);
    this.#lines = new JsonLines(this.#output, () => this.#subscription?.resync());
  }

  show({ value, batch }: Change<ChatState>): void {
    const isFirst = this.#value === undefined;
    this.#value = value;
    if (isFirst) this.#open(value);
    else this.#broadcast.send(batch);
  }

  lose(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#write({ type: "lost", reason: why });
  }

  restore(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#write({ type: "connected" });
  }

  /** Whoever reads lines of JSON is told by the batches. */
  interject(): void {
    return undefined;
  }

  async finish(value: ChatState): Promise<void> {
    if (this.#value === undefined) this.show({ value, seq: 0, batch: [["r", structuredClone(value) as never]] });
    await this.#lines.finish();
    this.#write({ type: "end", operation: value.operation });
    await this.#output.idle();
  }

  async leave(text: string): Promise<void> {
    await this.#lines.fail("left", text);
  }

  async remark(): Promise<void> {
    await this.#output.idle();
  }

  /** Who joins is given the value as it is. */
  #open(value: ChatState): void {
    this.#lines.open(this.#session, value.operation?.id ?? null);
    const window = openWindow(undefined, false);
    this.#subscription = this.#broadcast.subscribe({
      receive: ({ json }) => this.#lines.show(window, json),
      end: () => undefined,
    });
  }

  #write(line: object): void {
    this.#output.write(`${JSON.stringify(line)}\n`);
  }
}
