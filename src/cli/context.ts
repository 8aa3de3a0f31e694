import { homedir, tmpdir } from "node:os";
import type { Clock } from "../exec/index.js";
import { systemClock } from "../exec/index.js";
import { CliError } from "./failure.js";
import type { StandardStream } from "./terminal/text-output.js";

/** All that a command takes from the process that it runs in. */
export interface CliContext {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The system's folder for temporary files. */
  readonly temporary: string;
  /** The user's number; 0 where the system has none. */
  readonly user: number;
  readonly stdout: StandardStream;
  readonly stderr: StandardStream;
  /** Where signals and the end of the process are announced. */
  readonly signals: NodeJS.Process;
  readonly clock: Clock;
  readonly random: () => number;
  /** Leaves at once, whatever is still under way. */
  readonly exit: (code: number) => never;
}

/** @throws {CliError} `no_current_folder` */
export function contextOf(process: NodeJS.Process): CliContext {
  return {
    argv: process.argv.slice(2),
    environment: process.env,
    cwd: currentFolder(process),
    home: homedir(),
    platform: process.platform,
    temporary: tmpdir(),
    user: process.getuid?.() ?? 0,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
    clock: systemClock,
    random: Math.random,
    exit: (code) => process.exit(code),
  };
}

function currentFolder(process: NodeJS.Process): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new CliError("no_current_folder", "the current folder is gone; change to one that exists", { cause });
  }
}
