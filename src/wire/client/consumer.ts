import { apply, decoder, isBase } from "../../delta/index.js";
import type { Batch, Decoder } from "../../delta/index.js";
import type { WireMessage } from "../../protocol/index.js";
import { ConsumerError } from "./errors.js";

export interface ConsumerOptions {
  /**
   * Asks the host for a base batch. Called once when the consumer comes into doubt, and not again before a base arrived
   * or {@link Consumer.restart} was called.
   */
  readonly askForBase?: ((why: ConsumerError) => void) | undefined;
}

/** Keeps a copy of a host's value by folding the messages of one stream after the other. */
export interface Consumer<T> {
  /** The last good value, kept through any doubt; undefined before the first base. It is changed in place: read, don't keep. */
  readonly value: T | undefined;
  /** Number of the last message that is part of `value`. */
  readonly seq: number | undefined;
  /** Whether nothing but a base batch is accepted. */
  readonly needsBase: boolean;
  /** The last doubt, also after it was resolved. */
  readonly error: ConsumerError | undefined;
  readonly counters: ConsumerCounters;
  /** Takes one message as parsed from JSON; whatever it is, this does not throw because of it. */
  receive(message: unknown): void;
  /** A new stream begins: its first message must be a base. */
  restart(): void;
  /** Calls back after each change; gives what stops that. */
  onChange(listener: ChangeListener<T>): () => void;
}

export interface ConsumerCounters {
  readonly applied: number;
  /** Messages that were part of the value already, or came while a base was due. */
  readonly ignored: number;
  /** Messages that led to a doubt. */
  readonly refused: number;
}

export type ChangeListener<T> = (change: Change<T>) => void;

export interface Change<T> {
  readonly value: T;
  readonly seq: number;
  readonly batch: Batch;
}

export function createConsumer<T>(options: ConsumerOptions = {}): Consumer<T> {
  return new FoldingConsumer<T>(options.askForBase);
}

/** `opening`: a base is due without being asked for. `asking`: it was asked for. */
type Phase = "opening" | "following" | "asking";

class FoldingConsumer<T> implements Consumer<T> {
  readonly #askForBase: ((why: ConsumerError) => void) | undefined;
  readonly #listeners = new Set<ChangeListener<T>>();
  readonly #counters = { applied: 0, ignored: 0, refused: 0 };
  readonly #decoder: Decoder = decoder();
  #phase: Phase = "opening";
  #value: T | undefined;
  #seq: number | undefined;
  #error: ConsumerError | undefined;

  constructor(askForBase: ((why: ConsumerError) => void) | undefined) {
    this.#askForBase = askForBase;
  }

  get value(): T | undefined {
    return this.#value;
  }

  get seq(): number | undefined {
    return this.#seq;
  }

  get needsBase(): boolean {
    return this.#phase !== "following";
  }

  get error(): ConsumerError | undefined {
    return this.#error;
  }

  get counters(): ConsumerCounters {
    return { ...this.#counters };
  }

  receive(message: unknown): void {
    if (!isWireMessage(message)) {
      this.#doubt(
        new ConsumerError(
          "malformed_message",
          `a message is {"seq": integer from 0, "ops": array}; this one is ${shapeOf(message)}`,
        ),
      );
    } else if (isBase(message.ops)) {
      this.#apply(message);
    } else if (this.#phase === "asking" || (this.#phase === "following" && message.seq <= (this.#seq ?? 0))) {
      this.#counters.ignored += 1;
    } else if (this.#phase === "opening") {
      this.#doubt(new ConsumerError("gap", `the stream begins with message ${message.seq}, which is no base batch`));
    } else if (message.seq !== (this.#seq ?? 0) + 1) {
      this.#doubt(
        new ConsumerError("gap", `message ${message.seq} came after ${this.#seq}; those between are missing`),
      );
    } else {
      this.#apply(message);
    }
  }

  restart(): void {
    this.#phase = "opening";
  }

  onChange(listener: ChangeListener<T>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #apply({ seq, ops }: WireMessage): void {
    let batch: Batch;
    let value: T;
    try {
      batch = this.#decoder.decode(ops);
      value = apply(this.#value, batch);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.#doubt(new ConsumerError("refused_ops", `message ${seq} was refused: ${reason}`, { cause }));
      return;
    }
    this.#value = value;
    this.#seq = seq;
    this.#phase = "following";
    this.#counters.applied += 1;
    for (const listener of Array.from(this.#listeners)) listener({ value, seq, batch });
  }

  #doubt(error: ConsumerError): void {
    this.#error = error;
    this.#counters.refused += 1;
    if (this.#phase === "asking") return;
    this.#phase = "asking";
    this.#askForBase?.(error);
  }
}

function isWireMessage(message: unknown): message is WireMessage {
  if (typeof message !== "object" || message === null) return false;
  const { seq, ops } = message as { readonly seq?: unknown; readonly ops?: unknown };
  return Number.isSafeInteger(seq) && Number(seq) >= 0 && Array.isArray(ops);
}

function shapeOf(message: unknown): string {
  if (message === null) return "null";
  if (Array.isArray(message)) return "an array";
  if (typeof message !== "object") return `a ${typeof message}`;
  const { seq, ops } = message as { readonly seq?: unknown; readonly ops?: unknown };
  const number = typeof seq === "number" ? String(seq) : typeof seq;
  return `{"seq": ${number}, "ops": ${Array.isArray(ops) ? "array" : typeof ops}}`;
}
