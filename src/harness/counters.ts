/** What became of the batches of one kind of stream since the harness was opened. */
export interface StreamCounters {
  /** Batches that subscribers were given. */
  liveBatches: number;
  /** UTF-8 bytes of their ops as JSON, paths in full. */
  liveBytes: number;
  /** Elements appended to durable lists, recovery bases among them. */
  durableElements: number;
  /** UTF-8 bytes of those elements, as encoded. */
  durableBytes: number;
  /** Elements that state the whole output anew so that recovery reads little. */
  recoveryBases: number;
}

export interface HarnessCounters {
  /** Output of tool calls. */
  readonly tools: Readonly<StreamCounters>;
  /** Messages of the model. */
  readonly messages: Readonly<StreamCounters>;
}

export function emptyStreamCounters(): StreamCounters {
  return { liveBatches: 0, liveBytes: 0, durableElements: 0, durableBytes: 0, recoveryBases: 0 };
}
