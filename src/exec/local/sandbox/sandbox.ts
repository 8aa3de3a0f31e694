import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ExecError } from "../../errors.js";
import type { Environment } from "../environment/command-environment.js";
import { findBwrap } from "./bwrap-program.js";
import { existing, isShown, mountWords } from "./mounts.js";
import type { Mount } from "./mounts.js";

/**
 * Runs commands and file operations under bubblewrap: they see the machine's files and can change none, except those of
 * the env's working folder, of `writable`, and of a `/tmp` that is the env's own. Their processes are in a namespace of
 * their own for each command, which none of them can leave.
 */
export interface SandboxOptions {
  /** Whether commands have the machine's network. Default true. */
  readonly network?: boolean | undefined;
  /** Absolute folders that commands may change besides the working folder. */
  readonly writable?: readonly string[] | undefined;
  /** Absolute folders of which they see nothing, such as those with sockets and tokens of the harness. */
  readonly hidden?: readonly string[] | undefined;
}

export interface Sandbox {
  /**
   * What comes before the words of a program that is to run inside, in this folder as it is named inside. It can read
   * `readable` wherever that lies.
   */
  words(cwd: string, readable?: readonly string[]): readonly [program: string, ...args: string[]];
  /** Removes its `/tmp`. */
  close(): void;
}

export interface SandboxPlace {
  readonly cwd: string;
  readonly environment: Environment;
  readonly spillFolder: string | undefined;
  /** A folder of this user in which the sandbox's `/tmp` can be made. */
  readonly temporary: string;
}

/** @throws {ExecError} `sandbox_unavailable` where bubblewrap is not installed, `invalid_argument` for folders that cannot be. */
export function createSandbox(options: SandboxOptions, place: SandboxPlace): Sandbox {
  const { network = true, writable = [], hidden = [] } = options;
  for (const path of [...writable, ...hidden]) checkFolder(path);
  const program = findBwrap(place.environment);
  const changeable = [place.cwd, ...writable].map(realFolder);
  const isolation = network ? ISOLATION : [...ISOLATION, "--unshare-net"];
  const { spillFolder } = place;
  let temporary: string | undefined;

  function mounts(): readonly Mount[] {
    temporary ??= mkdtempSync(join(place.temporary, "spillway-tmp-"));
    // Made ahead, because inside nobody can; so that what was saved can be read there, whatever lies around it.
    if (spillFolder !== undefined) mkdirSync(spillFolder, { recursive: true, mode: 0o700 });
    return [
      { kind: "writable", path: "/tmp", from: temporary },
      // Sockets of the machine's services, whose other ends would do outside what they are asked to.
      { kind: "hidden", path: "/run" },
      ...existing("/etc/resolv.conf", "readable"),
      ...hidden.flatMap((path) => existing(path, "hidden")),
      ...(spillFolder === undefined ? [] : existing(spillFolder, "readable")),
      ...changeable.map((path): Mount => ({ kind: "writable", path, from: path })),
    ];
  }

  return {
    words(cwd, readable = []) {
      const own = mounts();
      const more = readable.flatMap((path) => existing(path, "readable")).filter(({ path }) => !isShown(path, own));
      return [program, ...isolation, ...mountWords([...own, ...more]), ...inside(cwd)];
    },
    close() {
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
      temporary = undefined;
    },
  };
}

/**
 * Namespaces for processes, shared memory and the host's name, and no capability, which root would keep. A session of its
 * own keeps signals that a command sends to its group from the process that waits outside.
 */
const ISOLATION = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--new-session", "--cap-drop", "ALL"];

function inside(cwd: string): readonly string[] {
  return ["--setenv", "TMPDIR", "/tmp", "--chdir", cwd, "--"];
}

function checkFolder(path: string): void {
  if (isAbsolute(path)) return;
  throw new ExecError(
    "invalid_argument",
    `the sandbox's folder ${JSON.stringify(path)} is relative; give an absolute path`,
  );
}

function realFolder(path: string): string {
  const real = resolveReal(path);
  if (real !== "/") return real;
  throw new ExecError(
    "invalid_argument",
    "the folder / cannot be one that a sandbox's commands may change, for that is no sandbox; give a folder below it",
  );
}

function resolveReal(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ExecError("invalid_argument", `the sandbox's folder ${path} cannot be used: ${why}`, { cause });
  }
}
