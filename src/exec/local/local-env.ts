import { spawn } from "node:child_process";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { systemClock } from "../clock.js";
import type { Clock } from "../clock.js";
import type { ExecutionEnv } from "../contract.js";
import { ExecError } from "../errors.js";
import { DEFAULT_MAX_SPILL_BYTES } from "../output/spill-file.js";
import { addSecrets, inheritEnvironment } from "./environment/command-environment.js";
import type { Environment } from "./environment/command-environment.js";
import { findShell } from "./environment/find-shell.js";
import { createExecutions } from "./executions.js";
import { createLocalFiles } from "./files/local-files.js";
import { holdProcess } from "./hold-process.js";
import type { LocalParts } from "./parts.js";
import { createFifoPool, mkfifoProgram } from "./pipes/fifo-pool.js";
import { maskCommands } from "./processes/masked-table.js";
import { createProcessControl } from "./processes/process-control.js";
import type { TreeRegistry } from "./processes/tree.js";
import { createSandboxFiles } from "./sandbox/sandbox-files.js";
import { createSandbox } from "./sandbox/sandbox.js";
import type { Sandbox, SandboxOptions } from "./sandbox/sandbox.js";
import { tellExpiredSpills } from "./spills/expired-spills.js";
import type { KeepSpills } from "./spills/removal-choice.js";
import { createSpillBudget } from "./spills/spill-budget.js";
import { DEFAULT_MAX_ENV_SPILL_BYTES, sweepSpills } from "./spills/sweep-spills.js";
import type { SweepReport } from "./spills/sweep-spills.js";
import { hostWatchdog } from "./watchdog/host-watchdog.js";

export interface LocalEnvOptions {
  /** The absolute working folder of commands that name none. */
  readonly cwd: string;
  /** What commands inherit, and where programs are found; usually `process.env`. */
  readonly environment: Environment;
  /** The session's own folder for whole outputs, absolute; made when first needed. Without it no spill can be asked for. */
  readonly spillFolder?: string | undefined;
  /** The folder that has the spill folders of all sessions in it, which share a quota. Default `spillFolder` itself. */
  readonly spillRoot?: string | undefined;
  /** Most bytes that one execution may save. Default 1 GiB. */
  readonly maxSpillBytes?: number | undefined;
  /** Most bytes of all spills below `spillRoot`: nothing is saved beyond, and `sweep` removes the oldest. Default 10 GiB. */
  readonly maxEnvSpillBytes?: number | undefined;
  /** How long `sweep` keeps a spill after the last write to it. Default 7 days. */
  readonly maxSpillAgeMs?: number | undefined;
  /** Names of variables that commands do not get, besides those that hold what is the harness's own. */
  readonly withhold?: readonly string[] | undefined;
  /** Values that are kept out of output and spills besides those of the variables that commands do not get. */
  readonly secrets?: readonly string[] | undefined;
  /** Names that are let through all the same. */
  readonly allow?: readonly string[] | undefined;
  /** A shell that takes `-c`, by name or absolute path. Default `bash`, else `sh`. */
  readonly shell?: string | undefined;
  /** A folder of this user in which pipes can be made; nothing stays in it. Default `TMPDIR`, else `/tmp`. */
  readonly home?: string | undefined;
  /** Is told of every tree of processes, so that it can be ended when this process cannot any more. Default the watchdog. */
  readonly registry?: TreeRegistry | undefined;
  /** Runs commands, and does what is done to files, under bubblewrap. Default on the machine as it is. */
  readonly sandbox?: SandboxOptions | undefined;
  readonly clock?: Clock | undefined;
  /** Gives numbers from 0 up to 1, as Math.random does; ids are made of them. */
  readonly random?: (() => number) | undefined;
  /** What the ids of executions begin with: `exec_`, then letters a to z, digits, `_` and `-`, at most 35. Default `exec_`. */
  readonly idPrefix?: string | undefined;
  /** Is told of an execution of which nothing more is saved, because a quota was reached. The execution goes on. */
  readonly onSpillFull?: ((executionId: string) => void) | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

/** The env of this machine, in this process: its executions end when it is closed. */
export interface LocalEnv extends ExecutionEnv, AsyncDisposable {
  /** Names of the variables that commands do not get, as they were in `environment`. */
  readonly withheld: readonly string[];
  /** Removes spills below `spillRoot` that are too old or too many; see {@link sweepSpills}. To be called when a session opens. */
  sweep(options: { readonly keep: KeepSpills }): Promise<SweepReport>;
}

/**
 * Runs commands on this machine, as this user.
 * @throws {ExecError} `invalid_argument`, `unsupported_platform` or `sandbox_unavailable`.
 */
export function createLocalEnv(options: LocalEnvOptions): LocalEnv {
  const parts = createParts(options);
  const { cwd } = options;
  const executions = createExecutions(cwd, parts);
  const inside = parts.sandbox && createSandboxFiles(parts.sandbox, cwd, parts.clock);
  const files = inside?.files ?? createLocalFiles(cwd, parts.random);
  const close = async (): Promise<void> => {
    await Promise.all([executions.close(), inside?.close()]);
    parts.sandbox?.close();
  };
  return {
    cwd,
    files: tellExpiredSpills(files, cwd, spillRootOf(options)),
    withheld: parts.environment.withheld,
    ...executions,
    close,
    [Symbol.asyncDispose]: close,
    async sweep({ keep }) {
      const listed = new Set((await executions.list()).map(({ executionId }) => executionId));
      return sweepBelow(options, keepBoth(keep, listed), parts);
    },
  };
}

/** What is listed is in use, whether its processes can be seen or not, and so is a result that waits to be collected. */
function keepBoth(keep: KeepSpills, listed: ReadonlySet<string>): KeepSpills {
  const isKept = typeof keep === "function" ? keep : (path: string) => keep.has(path);
  return (path) => isKept(path) || listed.has(basename(path).replace(/\..*/, ""));
}

async function sweepBelow(
  options: LocalEnvOptions,
  keep: KeepSpills,
  { clock, control: { table } }: LocalParts,
): Promise<SweepReport> {
  const { maxEnvSpillBytes: maxBytes, maxSpillAgeMs: maxAgeMs } = options;
  const folder = spillRootOf(options);
  if (folder === undefined) return { removed: [], failed: [], bytes: 0 };
  return sweepSpills({ folder, keep, maxBytes, maxAgeMs, clock, table });
}

function spillRootOf({ spillRoot, spillFolder }: LocalEnvOptions): string | undefined {
  return spillRoot ?? spillFolder;
}

function createParts(options: LocalEnvOptions): LocalParts {
  const { environment, clock = systemClock, platform = process.platform } = options;
  checkOptions(options, platform);
  const spillRoot = spillRootOf(options);
  const maxEnvSpillBytes = options.maxEnvSpillBytes ?? DEFAULT_MAX_ENV_SPILL_BYTES;
  const inherited = addSecrets(inheritEnvironment(environment, options), options.secrets ?? []);
  const control = createProcessControl(platform, clock);
  let shellPath: string | undefined;
  return {
    clock,
    random: options.random ?? Math.random,
    idPrefix: options.idPrefix ?? "exec_",
    onSpillFull: options.onSpillFull ?? (() => undefined),
    spawn,
    control: { ...control, table: maskCommands(control.table, inherited.secrets) },
    fifos: createFifoPool(temporaryOf(options), mkfifoProgram(environment)),
    sandbox: openSandbox(options),
    registry: options.registry ?? hostWatchdog(),
    environment: inherited,
    shellPath: () => (shellPath ??= findShell(options.shell, environment)),
    spillFolder: options.spillFolder,
    maxSpillBytes: options.maxSpillBytes ?? DEFAULT_MAX_SPILL_BYTES,
    spillBudget: spillRoot === undefined ? undefined : createSpillBudget(spillRoot, maxEnvSpillBytes),
    holdProcess,
  };
}

function openSandbox(options: LocalEnvOptions): Sandbox | undefined {
  const { sandbox, cwd, environment, spillFolder } = options;
  return sandbox && createSandbox(sandbox, { cwd, environment, spillFolder, temporary: temporaryOf(options) });
}

function temporaryOf({ home, environment }: LocalEnvOptions): string {
  return home ?? environment["TMPDIR"] ?? "/tmp";
}

function checkOptions(options: LocalEnvOptions, platform: NodeJS.Platform): void {
  if (platform === "win32") {
    throw new ExecError(
      "unsupported_platform",
      "spillway runs commands on Linux and macOS; on Windows, install WSL (wsl --install) and run spillway in it",
    );
  }
  for (const name of ["cwd", "spillFolder", "spillRoot", "home"] as const) {
    const path = options[name];
    if (path !== undefined && !isAbsolute(path)) {
      throw new ExecError("invalid_argument", `${name} is ${JSON.stringify(path)}; give an absolute path`);
    }
  }
  for (const name of ["maxSpillBytes", "maxEnvSpillBytes", "maxSpillAgeMs"] as const) {
    const value = options[name];
    if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) continue;
    const unit = name === "maxSpillAgeMs" ? "milliseconds" : "bytes";
    throw new ExecError("invalid_argument", `${name} is ${value}; give a whole number of ${unit}, 0 or more`);
  }
  // Spills are known by their names, which begin so.
  if (!/^exec_[a-z0-9_-]{0,35}$/.test(options.idPrefix ?? "exec_")) {
    const prefix = JSON.stringify(options.idPrefix?.slice(0, 80));
    throw new ExecError("invalid_argument", `idPrefix is ${prefix}; give exec_ and at most 35 of a-z, 0-9, _ and -`);
  }
  checkSpillRoot(options);
}

/** Else the quota would not count what the env itself saves. */
function checkSpillRoot({ spillFolder, spillRoot }: LocalEnvOptions): void {
  if (spillFolder === undefined || spillRoot === undefined) return;
  const folder = resolve(spillFolder);
  if (folder === resolve(spillRoot) || dirname(folder) === resolve(spillRoot)) return;
  throw new ExecError(
    "invalid_argument",
    `spillFolder ${spillFolder} is not in spillRoot ${spillRoot}; give the folder that it lies in, or leave spillRoot out`,
  );
}
