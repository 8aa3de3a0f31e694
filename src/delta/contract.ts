import type { Batch, Json, WireBatch } from "./op.js";

/**
 * Records the changes of one plain JSON value.
 *
 * Mutate `state` as any plain value: assign keys, delete them, use every array method, grow strings. Values are copied in
 * when they are written. A value that is not JSON is refused where it is written, with its path in the error.
 */
export interface Tracker<T extends object> {
  /** The tracked value. Assigning it makes the next flush a base batch. */
  get state(): T;
  set state(value: T);
  /** Whether the next flush gives anything. */
  readonly dirty: boolean;
  /** The changes since the last flush; the first is a base batch, one with nothing changed is `[]`. Never aliases live state. */
  flush(): Batch;
  /** Makes the next flush a base batch without a change of the value. */
  rebase(): void;
  /** A deep copy of the value as it is now; does not touch what is pending. */
  snapshot(): T;
}

/** One stream's encoder. */
export interface Encoder {
  encode(batch: Batch): WireBatch;
  /** Forgets every path id, so that a decoder which joins now understands what follows a base batch. */
  forget(): void;
}

/** One stream's decoder. Input is untrusted: what is malformed throws a coded error and leaves the decoder as it was. */
export interface Decoder {
  decode(batch: unknown): Batch;
}

/** What a program that keeps a copy of a tracked value needs: fold a batch into the last value. */
export type Apply = <T = Json>(value: T | undefined, batch: Batch) => T;
