import type { ChatState, ChatToolRow, FacetHost, FacetSubscription } from "../../facet/index.js";
import type { OperationId, WireMessage } from "../../protocol/index.js";
import { createConsumer } from "../../wire/client/index.js";
import { jsonBytes } from "./json-bytes.js";
import { NewTextMeter } from "./new-text.js";

export interface ViewerListener {
  /** Called while the value is still the one before the message. */
  before(): void;
  /** Called with the message, once it is folded; says whether it was passed on, where that is what is to be counted. */
  after(json: string): boolean;
}

/** What a viewer was sent, and what whole states would have been in place of it, in UTF-8 bytes of JSON. */
export interface ViewerCosts {
  readonly bytes: number;
  readonly snapshotBytes: number;
  /** Of `bytes`, the text of outputs. */
  readonly newTextBytes: number;
}

/**
 * One consumer of the run's chat: it gets JSON text and nothing else, and what is shown and measured comes from the value
 * that it folds.
 */
export class Viewer {
  readonly #consumer = createConsumer<ChatState>({ askForBase: () => this.resync() });
  readonly #operationId: OperationId;
  readonly #listener: ViewerListener;
  #subscription: FacetSubscription | undefined;
  readonly #newText = new NewTextMeter();
  #costs: ViewerCosts = { bytes: 0, snapshotBytes: 0, newTextBytes: 0 };

  constructor(operationId: OperationId, listener: ViewerListener) {
    this.#operationId = operationId;
    this.#listener = listener;
  }

  /** Joins the host; the first message, a base, is folded before this returns. */
  join(host: FacetHost<ChatState>): void {
    this.#subscription = host.subscribe({ receive: ({ json }) => this.#receive(json), end: () => undefined });
  }

  /** Asks for a base, which is folded before this returns. */
  resync(): void {
    this.#subscription?.resync();
  }

  get costs(): ViewerCosts {
    return this.#costs;
  }

  /** The run's one call, once it has begun. */
  get call(): ChatToolRow | undefined {
    const calls = this.#consumer.value?.rows.filter((row) => row.type === "tool");
    return calls?.findLast((call) => call.operationId === this.#operationId);
  }

  #receive(json: string): void {
    this.#listener.before();
    const message = JSON.parse(json) as WireMessage;
    this.#consumer.receive(message);
    const newTextBytes = this.#newText.measure(message);
    if (!this.#listener.after(json)) return;
    const { bytes, snapshotBytes, newTextBytes: earlier } = this.#costs;
    this.#costs = {
      bytes: bytes + Buffer.byteLength(json),
      snapshotBytes: snapshotBytes + jsonBytes(this.#consumer.value),
      newTextBytes: earlier + newTextBytes,
    };
  }
}
