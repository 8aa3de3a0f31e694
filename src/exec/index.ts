export { ExecError } from "./errors.js";
export type { ExecErrorCode, FileErrorCode } from "./errors.js";
export { failed, getOrThrow, ok } from "./result.js";
export type { Result } from "./result.js";
export type {
  EnvFiles,
  FileBytes,
  FileInfo,
  FileKind,
  FolderEntry,
  FolderListing,
  ReadOptions,
  RemoveOptions,
  WriteOptions,
} from "./files.js";
export { MAX_FILE_BYTES, MAX_FOLDER_ENTRIES } from "./files.js";
export type {
  AttachOptions,
  CaptureOptions,
  Containment,
  ExecContext,
  ExecOptions,
  ExecResult,
  ExecutionEnv,
  ExecutionInfo,
  ExecutionPlan,
  FollowOptions,
  InputOptions,
  InputState,
  KillReport,
  OwnedExecution,
  ProcessInfo,
  StartOptions,
} from "./contract.js";
export { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, MAX_PROGRESS_BYTES } from "./output/view.js";
export { isKnownEncoding } from "./output/encoding.js";
export type { DecodingReport } from "./output/encoding.js";
export type {
  Retain,
  ShellOutputBlock,
  ShellOutputLimits,
  ShellOutputMetadata,
  ShellOutputTruncation,
  ShellOutputUpdate,
  ShellOutputView,
  SpillReport,
} from "./output/view.js";
export { systemClock } from "./clock.js";
export type { Clock } from "./clock.js";
export { applyShellOutputUpdate } from "./output/fold-view.js";
export { describe } from "./output/notice.js";
export { createKeptText } from "./output/kept-text.js";
export type { KeptText } from "./output/kept-text.js";
export { resolveCaps } from "./output/limits.js";
export { Publisher } from "./output/publisher.js";
export type { Environment } from "./local/environment/command-environment.js";
export type { Shell, StartedTree, Tree, TreeMark, TreeRegistry } from "./local/processes/tree.js";
export { DEFAULT_MAX_SPILL_BYTES } from "./output/spill-file.js";
export { createLocalEnv } from "./local/local-env.js";
export type { LocalEnv, LocalEnvOptions } from "./local/local-env.js";
export type { SandboxOptions } from "./local/sandbox/sandbox.js";
export { stopMarked } from "./local/stop-marked.js";
export type { StopMarkedOptions } from "./local/stop-marked.js";
export type { KeepSpills } from "./local/spills/removal-choice.js";
export type { RemovalReason } from "./local/spills/removal-journal.js";
export { readSpillFate } from "./local/spills/spill-fate.js";
export type { SpillFate } from "./local/spills/spill-fate.js";
export type { SpillFailure } from "./local/spills/spill-listing.js";
export {
  DEFAULT_MAX_ENV_SPILL_BYTES,
  DEFAULT_MAX_SPILL_AGE_MS,
  DEFAULT_MIN_SPILL_IDLE_MS,
  sweepSpills,
} from "./local/spills/sweep-spills.js";
export type { RemovedSpill, SpillSweepLimits, SweepReport, SweepSpillsOptions } from "./local/spills/sweep-spills.js";
export type { ByteChannel } from "./link/channel.js";
export { PROTOCOL_VERSION } from "./link/limits.js";
export { connectCommand } from "./client/connect-command.js";
export type { ConnectCommandOptions } from "./client/connect-command.js";
export { connectDaemon, connectHostSocket } from "./client/connect-daemon.js";
export type { ConnectDaemonOptions } from "./client/connect-daemon.js";
export { connectExecHost, DEFAULT_GIVE_UP_MS } from "./client/exec-client.js";
export type { ExecClient, ExecClientOptions } from "./client/exec-client.js";
export { startDetached } from "./client/start-detached.js";
export type { DetachedProgram } from "./client/start-detached.js";
export type { StartDetachedOptions } from "./client/start-detached.js";
export { startDaemon } from "./host/daemon.js";
export type { Daemon, DaemonOptions } from "./host/daemon.js";
export { createExecHost, DEFAULT_MAX_UNATTENDED_MS } from "./host/exec-host.js";
export type { ExecHost, ExecHostOptions } from "./host/exec-host.js";
export { hostPlaces, readHostFile } from "./host/host-file.js";
export type { HostFile } from "./host/host-file.js";
export type { HostIdentity } from "./host/host-identity.js";
export { relayStdio, serveStdio } from "./host/stdio.js";
export type { Stdio } from "./host/stdio.js";
