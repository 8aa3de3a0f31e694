import { encoder, isBase } from "../delta/index.js";
import type { Batch, Encoder, Json, Op, WireBatch } from "../delta/index.js";
import type { Clock } from "../exec/index.js";
import type { EphemeralScope, ListAddress, SessionStorage, SyncPolicy, Transaction } from "../storage/index.js";
import { BASE_TAG } from "./addresses.js";
import type { StreamCounters } from "./counters.js";
import { HarnessError } from "./errors.js";

/** When output that is visible is stored; defaults filled in. */
export interface Durability {
  readonly intervalMs: number;
  readonly maxBytes: number;
  readonly baseElements: number;
}

export const DEFAULT_DURABLE_INTERVAL_MS = 1_000;
export const DEFAULT_DURABLE_MAX_BYTES = 65_536;
export const DEFAULT_BASE_ELEMENTS = 64;
/** A recovery base is due when the elements since the last one outweigh the state's cap by this factor. */
export const BASE_BYTES_FACTOR = 4;

/** The tracked state that a journal stores. */
export interface JournalSource {
  /** Hands what is pending to the journal's `push`, before it returns. */
  flush(): void;
  /** The state as it is now: a copy, and JSON. */
  snapshot(): object;
}

export interface JournalOptions {
  readonly storage: SessionStorage;
  readonly address: ListAddress<EphemeralScope, WireBatch>;
  readonly source: JournalSource;
  /** What bounds the state, in bytes. */
  readonly capBytes: number;
  readonly durability: Durability;
  readonly clock: Clock;
  readonly counters: StreamCounters;
  /** Told when output could not be stored in the background. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Keeps one stream's batches durable. Live batches come often and go to storage seldom: an element is the concatenation
 * of those not yet stored, on an encoder that belongs to the stored list alone. Now and then an element states the whole
 * value instead, so that recovery reads little and a backend can drop the rest; live readers never see those.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #encoder: Encoder = encoder();
  #pending: Op[] = [];
  #pendingBytes = 0;
  #elements = 0;
  #bytes = 0;
  #baseBytes = 0;
  #timer: { cancel(): void } | undefined;
  #checkpointing = false;
  /** Whether an earlier write failed, so that nobody knows what the stored list and the encoder agree on. */
  #doubtful = false;
  #ended = false;
  /** One commit at a time: were an element lost and the next one stored, what follows would not fit what precedes. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Takes a live batch, to be stored within the durable interval, and gives its bytes as JSON. */
  push(batch: Batch): number {
    if (this.#ended) return 0;
    if (isBase(batch)) this.#clearPending();
    for (const op of batch) this.#pending.push(op);
    const bytes = jsonBytes(batch);
    this.#pendingBytes += bytes;
    this.#options.counters.liveBatches += 1;
    this.#options.counters.liveBytes += bytes;
    if (this.#pendingBytes >= this.#options.durability.maxBytes) this.#checkpoint();
    else this.#timer ??= this.#options.clock.after(this.#options.durability.intervalMs, () => this.#checkpoint());
    return bytes;
  }

  /**
   * Stores the state as it is when the commit's turn has come, with what `extra` states in the same commit. The state is
   * read inside the commit: no checkpoint of an older state can land after it.
   */
  write(sync: SyncPolicy, extra?: (transaction: Transaction<EphemeralScope>) => void): Promise<void> {
    const written = this.#last.then(() => this.#commit(sync, extra));
    this.#last = written.catch(() => undefined);
    return written;
  }

  /**
   * Stores the last state and refuses what comes later. A failure is left to the commit of the entry that follows: it
   * holds the same state, and it is the one that counts.
   */
  async end(): Promise<void> {
    await this.write("interval").catch(() => undefined);
    this.stop();
  }

  /** Refuses what comes later and stores nothing more. */
  stop(): void {
    this.#ended = true;
    this.#cancelTimer();
    this.#clearPending();
  }

  #checkpoint(): void {
    this.#cancelTimer();
    if (this.#checkpointing) return;
    this.#checkpointing = true;
    this.write("interval").catch((error: unknown) => {
      this.#checkpointing = false;
      if (!this.#ended) this.#options.onFailure(error);
    });
  }

  async #commit(sync: SyncPolicy, extra?: (transaction: Transaction<EphemeralScope>) => void): Promise<void> {
    const { storage, address } = this.#options;
    try {
      await storage.commit(address.scope, (transaction) => this.#state(transaction, extra), { sync });
    } catch (error) {
      this.#doubtful = true;
      throw error;
    }
  }

  #state(transaction: Transaction<EphemeralScope>, extra?: (transaction: Transaction<EphemeralScope>) => void): void {
    this.#checkpointing = false;
    if (this.#ended) throw new HarnessError("call_settled", "The call has settled; nothing of it is stored any more.");
    this.#options.source.flush();
    this.#appendPending(transaction);
    extra?.(transaction);
  }

  #appendPending(transaction: Transaction<EphemeralScope>): void {
    if (this.#pending.length === 0 && !this.#doubtful) return;
    const { counters, source, address } = this.#options;
    let batch: Batch = this.#pending;
    if (!isBase(batch) && this.#isBaseDue()) {
      batch = [["r", source.snapshot() as Json]];
      counters.recoveryBases += 1;
    }
    const base = isBase(batch);
    const element = this.#encoder.encode(batch);
    transaction.append(address, element, base ? { tag: BASE_TAG, supersedes: true } : undefined);
    this.#count(base, jsonBytes(element));
    this.#cancelTimer();
    this.#clearPending();
    this.#doubtful = false;
  }

  #isBaseDue(): boolean {
    const { durability, capBytes } = this.#options;
    // A state can outweigh its text's cap (images): then the state itself is the measure, else bases would be most of
    // what is written.
    const dueBytes = BASE_BYTES_FACTOR * Math.max(capBytes, this.#baseBytes);
    return this.#doubtful || this.#elements >= durability.baseElements || this.#bytes >= dueBytes;
  }

  #count(base: boolean, bytes: number): void {
    const { counters } = this.#options;
    counters.durableElements += 1;
    counters.durableBytes += bytes;
    if (base) {
      this.#baseBytes = bytes;
      this.#elements = 0;
      this.#bytes = 0;
    } else {
      this.#elements += 1;
      this.#bytes += bytes;
    }
  }

  #cancelTimer(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #clearPending(): void {
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
