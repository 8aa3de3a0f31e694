import type { Clock, ExecutionEnv, OwnedExecution } from "../exec/index.js";
import type { Lane } from "../harness/index.js";
import type { SessionId } from "../protocol/index.js";
import type { CallRecords } from "./call-records.js";
import type { OutputFile } from "./output/output-file.js";
import type { Root } from "./confined/root.js";

/** What a client's calls work in: one session, which others can watch. */
export interface McpWork {
  readonly session: SessionId;
  readonly lane: Pick<Lane, "call">;
  readonly env: ExecutionEnv;
  readonly records: CallRecords;
  /** Executions of other sessions of the same root, such as those that an earlier client left. */
  others(): Promise<readonly OwnedExecution[]>;
  /** A saved output of a session; undefined where there is none. */
  openOutput(session: SessionId, path: string): Promise<OutputFile | undefined>;
  /** How a person watches it: a command, or an address. */
  readonly watch: string;
}

export interface McpServerOptions {
  readonly version: string;
  readonly root: Root;
  /** What bounds the text of a call. */
  readonly maxBytes: number;
  readonly maxLines: number;
  /** Opens the session when it is first needed; gives the same one each time, and tries again after a failure. */
  readonly open: () => Promise<McpWork>;
  readonly clock: Clock;
  /** Calls that may run at a time, background ones included. Default 64. */
  readonly maxCalls?: number | undefined;
}

export const DEFAULT_MAX_CALLS = 64;
