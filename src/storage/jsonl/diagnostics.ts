/** Something that went wrong beside the call, and was mended or will be tried again. */
export interface StorageDiagnostic {
  /**
   * - `tail_cut`: an interrupted write was cut off at opening and kept in another file.
   * - `unlink_failed`: a file that is dead could not be removed; the next opening tries again.
   * - `rewrite_failed`: a sidecar keeps its dead bytes; tried again when it has grown.
   * - `sync_failed`: the disk did not confirm; the session takes no more commits.
   */
  readonly kind: "tail_cut" | "unlink_failed" | "rewrite_failed" | "sync_failed";
  readonly file: string;
  /** A sentence for a person. */
  readonly message: string;
  readonly cause?: unknown;
}

export type ReportDiagnostic = (diagnostic: StorageDiagnostic) => void;
