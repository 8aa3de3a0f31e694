import type { ChatState, ChatToolRow, FacetHost } from "../../facet/index.js";
import type { OperationId } from "../../protocol/index.js";
import { connectLocally } from "../../wire/index.js";
import type { Change } from "../../wire/client/index.js";
import { jsonBytes } from "./json-bytes.js";
import { outputTextBytes } from "./output-text.js";

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
  readonly #operationId: OperationId;
  readonly #listener: ViewerListener;
  #value: ChatState | undefined;
  #resync = (): void => undefined;
  #costs: ViewerCosts = { bytes: 0, snapshotBytes: 0, newTextBytes: 0 };

  constructor(operationId: OperationId, listener: ViewerListener) {
    this.#operationId = operationId;
    this.#listener = listener;
  }

  /** Joins the host; the first message, a base, is folded before this returns. */
  join(host: FacetHost<ChatState>): void {
    const { resync } = connectLocally(host, {
      onMessage: () => this.#listener.before(),
      onChange: (change, json) => this.#follow(change, json),
    });
    this.#resync = resync;
  }

  /** Asks for a base, which is folded before this returns. */
  resync(): void {
    this.#resync();
  }

  get costs(): ViewerCosts {
    return this.#costs;
  }

  /** The run's one call, or the last one that began. */
  get call(): ChatToolRow | undefined {
    return this.calls.at(-1);
  }

  /** All of its calls, in the order in which they began. */
  get calls(): readonly ChatToolRow[] {
    const calls = this.#value?.rows.filter((row) => row.type === "tool") ?? [];
    return calls.filter(({ operationId }) => operationId === this.#operationId);
  }

  #follow({ value, batch }: Change<ChatState>, json: string): void {
    this.#value = value;
    if (!this.#listener.after(json)) return;
    const { bytes, snapshotBytes, newTextBytes } = this.#costs;
    this.#costs = {
      bytes: bytes + Buffer.byteLength(json),
      snapshotBytes: snapshotBytes + jsonBytes(value),
      newTextBytes: newTextBytes + outputTextBytes(batch),
    };
  }
}
