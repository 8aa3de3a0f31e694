/** What tells the processes of one execution from all others, also to another process and after a crash. */
export interface TreeMark {
  readonly executionId: string;
  /** An element of the list in the environment variable {@link MARKER_VARIABLE} of each of its processes. */
  readonly marker: string;
}

/** The processes of one execution. */
export interface Tree extends TreeMark {
  /** The shell, once it was spawned. */
  readonly shell?: Shell;
  /**
   * Identities, as `pipeIdentity` makes them, of the pipes that this process still reads from the tree. Only those: once a
   * pipe is closed here, the system may give its identity to one of somebody else's.
   */
  readonly openPipes?: () => ReadonlySet<string>;
}

/** A tree whose shell was spawned. */
export interface StartedTree extends Tree {
  readonly shell: Shell;
}

/** The process that leads an execution: its id is also that of its process group and of its session. */
export interface Shell {
  readonly pid: number;
  /** When it started; see `ProcessTable`. */
  readonly started: number;
  /** Whether it is a sandbox's own process, which ends when the shell inside has: it is not asked to end before. */
  readonly isSandbox?: boolean;
  /** When its exit was collected; absent until then, while nobody else can be given its id. */
  reaped?: number;
}

/** A `:`-joined list of markers, the outermost execution first, so that nested runs are found by each of them. */
export const MARKER_VARIABLE = "SPILLWAY_EXECUTION";

/**
 * Is told of every tree before anything of it is spawned, and when nothing of it is left. The watchdog implements it, so
 * that trees end with a host that died.
 */
export interface TreeRegistry {
  /** Awaited: the tree is spawned only after this. A rejection stops the start. */
  register(tree: TreeMark): Promise<void> | void;
  /** What is known of the tree since: its shell runs, or has exited. */
  update(tree: StartedTree): void;
  release(tree: TreeMark): void;
}
