import type { ChatState, ChatToolRow, FacetHost, FacetSubscription } from "../../facet/index.js";
import type { OperationId } from "../../protocol/index.js";
import { createConsumer } from "../../wire/client/index.js";
import { jsonBytes } from "./json-bytes.js";

export interface ViewerListener {
  /** Called while the value is still the one before the message. */
  before(): void;
  /** Called with the message, once it is folded. */
  after(json: string): void;
}

/** What a viewer was sent, and what whole states would have been in place of it, in UTF-8 bytes of JSON. */
export interface ViewerCosts {
  readonly bytes: number;
  readonly snapshotBytes: number;
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
  #bytes = 0;
  #snapshotBytes = 0;

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
    return { bytes: this.#bytes, snapshotBytes: this.#snapshotBytes };
  }

  /** The run's one call, once it has begun. */
  get call(): ChatToolRow | undefined {
    const calls = this.#consumer.value?.rows.filter((row) => row.type === "tool");
    return calls?.findLast((call) => call.operationId === this.#operationId);
  }

  #receive(json: string): void {
    this.#listener.before();
    this.#consumer.receive(JSON.parse(json));
    this.#bytes += Buffer.byteLength(json);
    this.#snapshotBytes += jsonBytes(this.#consumer.value);
    this.#listener.after(json);
  }
}
