import type { Json } from "../delta/index.js";

/** Text of the output, or, where `notice` is set, what is said about the output at its end. */
export interface TextBlock {
  readonly type: "text";
  text: string;
  notice?: true;
}

export interface ImageBlock {
  readonly type: "image";
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export type ContentBlock = TextBlock | ImageBlock;

/** Exact totals of all that was ever written, beside the caps. */
export interface OutputTruncation {
  truncated: boolean;
  truncatedBy: "bytes" | "lines" | null;
  totalLines: number;
  totalBytes: number;
  maxLines: number;
  maxBytes: number;
  /** Size in bytes of the one line that alone exceeds the byte cap and is shown in part. */
  partialLineBytes?: number;
}

export interface Usage {
  /** All that was sent, what a cache served or took included. */
  inputTokens?: number;
  /** Thinking included. */
  outputTokens?: number;
  /** Of the input, what a cache served. */
  cacheReadTokens?: number;
  /** Of the input, what was put into a cache. */
  cacheWriteTokens?: number;
  /** US dollars; absent where no price is known. */
  costUsd?: number;
}

/** What a spill came to hold. `complete`: all that was ever printed, though secrets may be masked in it. */
export interface SavedOutput {
  readonly bytes: number;
  readonly complete: boolean;
}

/**
 * All that a tool call has given so far: what its sink tracks, what is sent as ops, stored and shown.
 *
 * `content` is the text (a second block only when a window keeps both ends), then at most one notice, then images.
 */
export interface ToolOutputState<Details = Json> {
  content: ContentBlock[];
  details: Details;
  /** What the call itself consumed. */
  usage?: Usage;
  /** Names of tools that the call made available. */
  addedTools?: string[];
  /** Whether the operation ends after this call. */
  terminate: boolean;
  truncation: OutputTruncation;
  /** The unterminated last line while the call runs, at most 4,096 bytes. */
  progress?: string;
  /** Set at the end of a call whose spill is not its raw output byte for byte. */
  spill?: SavedOutput;
}
