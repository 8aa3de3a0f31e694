/** The end of the output that the window keeps; `both` keeps a fifth from the start and the rest from the end. */
export type Retain = "tail" | "head" | "both";

/** What bounds a window. Whichever cap is met first cuts. Unset fields take the defaults below. */
export interface ShellOutputLimits {
  readonly retain?: Retain | undefined;
  /** Most UTF-8 bytes of text. */
  readonly maxBytes?: number | undefined;
  /** Most lines of text. */
  readonly maxLines?: number | undefined;
}

export const DEFAULT_MAX_BYTES = 51_200;
export const DEFAULT_MAX_LINES = 2_000;

/** The exact totals of all that was ever written, and what the window did with it. */
export interface ShellOutputTruncation {
  /** Whether the window dropped text. */
  readonly truncated: boolean;
  /** The cap that cut last; `null` while nothing was cut. */
  readonly truncatedBy: "bytes" | "lines" | null;
  /** Newlines of the merged raw stream, plus one if its last byte is another. */
  readonly totalLines: number;
  /** Raw bytes of the merged stream: the size of a complete spill. */
  readonly totalBytes: number;
  readonly maxLines: number;
  readonly maxBytes: number;
  /** Size in UTF-8 bytes of the one line that alone exceeds the byte cap and of which only a part is in the window. */
  readonly partialLineBytes?: number;
}

/** How far a spill file got. */
export interface SpillReport {
  readonly path: string;
  /** Bytes of the output in the file; 0 where it was removed. */
  readonly bytes: number;
  /** Whether the file holds the whole raw output. */
  readonly complete: boolean;
  /** Why it does not. */
  readonly reason?: "quota" | "disk_full" | "write_failed" | "interrupted" | "removed";
}

/** What an update says besides text; always the whole of it, never a part. */
export interface ShellOutputMetadata {
  readonly truncation: ShellOutputTruncation;
  /** The unterminated last line of the merged stream, at most {@link MAX_PROGRESS_BYTES} bytes; absent when there is none. */
  readonly progress?: string;
  /** The spill file, from when it is opened. */
  readonly spillPath?: string;
}

export const MAX_PROGRESS_BYTES = 4_096;

/** The bounded view of an output. The text is valid Unicode without control characters other than tab and newline. */
export interface ShellOutputView extends ShellOutputMetadata {
  readonly text: string;
  /** With `both`, the end of the output once the middle was dropped. */
  readonly tail?: string;
}

/** Which text an update changes: 0 is `text`, 1 is `tail`. */
export type ShellOutputBlock = 0 | 1;

/**
 * One change of the view, in order. `drop` counts UTF-16 code units from the front of the block.
 * Folding all of them with {@link applyShellOutputUpdate} gives the env's own view after each.
 */
export type ShellOutputUpdate =
  | { readonly kind: "replace"; readonly output: ShellOutputView }
  | {
      readonly kind: "append";
      readonly block: ShellOutputBlock;
      readonly text: string;
      readonly metadata: ShellOutputMetadata;
    }
  | {
      readonly kind: "slide";
      readonly block: ShellOutputBlock;
      readonly drop: number;
      readonly text: string;
      readonly metadata: ShellOutputMetadata;
    }
  | { readonly kind: "metadata"; readonly metadata: ShellOutputMetadata };
