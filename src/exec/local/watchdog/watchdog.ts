import type { ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Tree, TreeRegistry } from "../processes/tree.js";
import { encodeTrees } from "./registered-trees.js";

export interface WatchdogOptions {
  readonly spawn: typeof spawn;
  /**
   * Finds the program, with its arguments, that stops the trees of which a line on its standard input tells. What it throws
   * is what the registration throws.
   */
  readonly stopCommand: () => readonly string[];
  /** All that the watchdog and its program get of an environment: no marker, or a stop of this process would be theirs. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A process that outlives this one and then stops the trees that are registered at that moment. It is started at the first
 * registration, and again at the next one after it was lost; each line that it gets tells of all live trees anew.
 *
 * It waits as a shell, which takes a megabyte and a millisecond where Node takes forty of each, and runs the env's own stop
 * once its input has ended. See docs/decisions/17-watchdog.md.
 */
export function createWatchdog(options: WatchdogOptions): TreeRegistry {
  const trees = new Map<string, Tree>();
  let shell: WaitingShell | undefined;

  function tell(): boolean {
    return shell?.tell(encodeTrees([...trees.values()])) ?? false;
  }

  return {
    register(tree) {
      trees.set(tree.marker, tree);
      if (tell()) return;
      shell?.discard();
      shell = startShell(options);
      if (tell()) return;
      trees.delete(tree.marker);
      throw new Error(`cannot start the watchdog /bin/sh, without which a command could outlive this process`);
    },
    // What is not heard of these is harmless: a marker of nobody, or a group whose start time is not the tree's.
    update(tree) {
      if (!trees.has(tree.marker)) return;
      trees.set(tree.marker, tree);
      tell();
    },
    release(tree) {
      if (trees.delete(tree.marker)) tell();
    },
  };
}

interface WaitingShell {
  /** Whether the line is with the watchdog, which reads it even if this process dies right now. */
  tell(line: string): boolean;
  discard(): void;
}

/**
 * Keeps the last whole line of its input. A line that this process could not finish has no newline, and is not one. That
 * signals are ignored is inherited by nobody: Node sets them anew.
 */
const WAIT = `
trap '' HUP INT QUIT TERM TSTP
trees=
while IFS= read -r line; do
  case $line in '['*']') trees=$line ;; esac
done
case $trees in '' | '[]') exit ;; esac
printf '%s\\n' "$trees" | "$0" "$@"
`;

function startShell({ spawn, stopCommand, environment }: WatchdogOptions): WaitingShell {
  const child = spawn("/bin/sh", ["-c", WAIT, ...stopCommand()], {
    cwd: "/",
    env: environment,
    // A session of its own: what ends the group or the terminal of this process does not reach it.
    detached: true,
    // Node closes its end of the pipe in every other child, so it ends with this process.
    stdio: ["pipe", "ignore", "ignore"],
  });
  const input = letGo(child);
  let alive = child.pid !== undefined;
  child.once("exit", () => {
    alive = false;
  });

  return {
    tell(line) {
      if (!alive || input.destroyed) return false;
      input.write(`${line}\n`);
      // The system takes a line at once, unless nobody reads any more or nobody is there.
      return input.writableLength === 0 && input.errored === null;
    },
    discard() {
      // Killed first: at the end of its input it would stop what it has heard of, and that still runs.
      if (alive) child.kill("SIGKILL");
      input.destroy();
    },
  };
}

/** Lets this process end while the child and the pipe to it are open. */
function letGo(child: ChildProcess): Socket {
  child.on("error", ignore);
  child.unref();
  const { stdin } = child;
  if (!(stdin instanceof Socket)) throw new TypeError("the input of the watchdog is not a pipe");
  stdin.on("error", ignore);
  stdin.unref();
  return stdin;
}

function ignore(): void {
  // The next line that is told finds out.
}
