export { ExecError } from "./errors.js";
export type { ExecErrorCode } from "./errors.js";
export { failed, getOrThrow, ok } from "./result.js";
export type { Result } from "./result.js";
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
  KillReport,
  ProcessInfo,
  StartOptions,
} from "./contract.js";
export { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, MAX_PROGRESS_BYTES } from "./output/view.js";
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
