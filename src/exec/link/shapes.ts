import type { ExecResult, ExecutionInfo, ExecutionPlan, KillReport, OwnedExecution } from "../contract.js";
import type { FileBytes, FileInfo, FolderListing } from "../files.js";
import type { ShellOutputUpdate } from "../output/view.js";
import { boolean, bytes, count, list, name, nullable, number, oneOf, optional, record, string } from "./checks.js";
import type { Check } from "./checks.js";

const MOST_PROCESSES = 100_000;
const MOST_EXECUTIONS = 10_000;

const truncation = record({
  truncated: boolean,
  truncatedBy: nullable(oneOf("bytes", "lines")),
  totalLines: count,
  totalBytes: count,
  maxLines: count,
  maxBytes: count,
  partialLineBytes: optional(count),
});

const metadataFields = { truncation, progress: optional(string), spillPath: optional(string) };
const metadata = record(metadataFields);
const block = oneOf(0, 1);

const changes = {
  replace: record({
    kind: oneOf("replace"),
    output: record({ text: string, tail: optional(string), ...metadataFields }),
  }),
  append: record({ kind: oneOf("append"), block, text: string, metadata }),
  slide: record({ kind: oneOf("slide"), block, drop: count, text: string, metadata }),
  metadata: record({ kind: oneOf("metadata"), metadata }),
};

const updateKind = record({ kind: oneOf("replace", "append", "slide", "metadata") });

export const update: Check<ShellOutputUpdate> = (value, place) => changes[updateKind(value, place).kind](value, place);

const processes = list(record({ pid: count, command: string }), MOST_PROCESSES);

export const execResult: Check<ExecResult> = record({
  executionId: name,
  exitCode: nullable(number),
  signal: nullable(string),
  durationMs: number,
  truncation,
  spillPath: optional(string),
  spill: optional(
    record({
      path: string,
      bytes: count,
      complete: boolean,
      reason: optional(oneOf("quota", "disk_full", "write_failed", "interrupted", "removed")),
    }),
  ),
  decoding: optional(record({ encoding: string, replaced: boolean, unknownLabel: optional(string) })),
  containment: oneOf("bwrap", "cgroup", "group+marker"),
  left: processes,
  leftOutputPath: optional(string),
  survivors: processes,
});

const infoFields = {
  executionId: name,
  command: string,
  cwd: string,
  state: oneOf("running", "left", "ended"),
  startedAt: number,
  pids: list(count, MOST_PROCESSES),
  leftOutputPath: optional(string),
};

export const executionInfo: Check<ExecutionInfo> = record(infoFields);

export const executionInfos: Check<readonly ExecutionInfo[]> = list(executionInfo, MOST_EXECUTIONS);

export const ownedExecutions: Check<readonly OwnedExecution[]> = list(
  record({ ...infoFields, owner: name }),
  MOST_EXECUTIONS,
);

export const executionPlan: Check<ExecutionPlan> = record({
  executionId: name,
  marker: name,
  spillPath: optional(string),
});

export const killReport: Check<KillReport> = record({ executionId: name, survivors: processes });

export const inputState = record({ acceptedBytes: count });

const fileKind = oneOf("file", "folder", "link", "other");

export const fileInfo: Check<FileInfo> = record({
  path: string,
  kind: fileKind,
  bytes: count,
  mode: count,
  modifiedAt: number,
  version: string,
});

export const fileBytes: Check<FileBytes> = record({ info: fileInfo, offset: count, bytes });

export const folderListing: Check<FolderListing> = record({
  path: string,
  entries: list(record({ name: string, kind: fileKind }), MOST_PROCESSES),
  truncated: boolean,
});
