import type { WireBatch } from "../delta/index.js";

/**
 * What a subscription carries, and all of it. A base batch is accepted at any `seq`, any other at the previous + 1; any
 * doubt has one answer, a fresh base batch.
 */
export interface WireMessage {
  readonly seq: number;
  readonly ops: WireBatch;
}
