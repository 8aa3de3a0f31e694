import type { ProcessInfo } from "../../contract.js";

/** One process, as it was when the table was read. What needs a further look is asked by method. */
export interface TableProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Absent where the system does not say. */
  readonly session?: number;
  /** In a unit of the table's own that only grows; absent where the system does not say. */
  readonly started?: number;
  /** The markers in its environment; none where that cannot be read. */
  markers(): readonly string[];
  /** Whether it is the first process of a namespace of its own, with which all others of that end. */
  isFirst(): boolean;
  /** Whether it has one of these pipes open. */
  holds(pipes: ReadonlySet<string>): boolean;
  describe(): ProcessInfo;
}

/** The processes of this machine, as far as this user may see them. */
export interface ProcessTable {
  /** Live processes that started at `since` or later. Zombies are no processes any more and are left out. */
  list(query: TableQuery): Promise<readonly TableProcess[]>;
  /** When a process started, as `TableProcess.started` says it; 0 where the system does not say. */
  startOf(pid: number): number;
  /** Now, in the same unit. */
  now(): number;
}

export interface TableQuery {
  readonly since: number;
  /**
   * Only processes that were given their id after this one. Sound only while fewer processes started in between than
   * there are ids, so only for a moment; what makes it worth having is that nothing else need be looked at.
   */
  readonly newerThan?: number | undefined;
}

/** Longest command line that is told. */
export const MAX_COMMAND_LENGTH = 200;
