import type { TextSink } from "./line-merger.js";
import type { Caps } from "./limits.js";

/** What became of one block of text since it was last asked. */
export type BlockChange =
  | { readonly kind: "none" }
  | { readonly kind: "replaced" }
  | { readonly kind: "moved"; readonly drop: number; readonly text: string };

export type CutBy = "bytes" | "lines" | null;

/** The bounded text that is kept of a stream. */
export interface Window extends TextSink {
  readonly text: string;
  /** The cap that cut last; `null` while nothing was dropped. */
  readonly cutBy: CutBy;
  /** Bytes of the line of which only a part is kept. */
  readonly partialLineBytes: number | undefined;
  /** Tells what changed since the last call. */
  takeChange(): BlockChange;
}

export type { Caps };
