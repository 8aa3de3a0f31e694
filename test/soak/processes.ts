import { spawn } from "node:child_process";
import { readHostFile } from "../../src/exec/index.js";
import type { LifeStart } from "./life.js";
import type { ViewerStart } from "./viewer.js";
import type { World } from "./world.js";

/** Programs that the trial is made of, as files that Node runs. */
export interface Programs {
  readonly life: string;
  readonly viewer: string;
  /** The built CLI. */
  readonly cli: string;
}

export interface Started {
  readonly pid: number;
  /** Resolves when it says that it is at work, or has ended. */
  readonly working: Promise<void>;
  readonly ended: Promise<Ended>;
  /** Resolves when it was killed and is gone. */
  kill(): Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  /** The end of what it said on standard error. */
  readonly words: string;
}

export function startLife({ life }: Programs, start: LifeStart): Started {
  return startProgram(life, start);
}

export function startViewer({ viewer }: Programs, start: ViewerStart): Started {
  return startProgram(viewer, start);
}

const MAX_WORDS = 4_000;

function startProgram(program: string, start: LifeStart | ViewerStart): Started {
  const child = spawn(process.execPath, [program, JSON.stringify(start)], { stdio: ["ignore", "pipe", "pipe"] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started`);
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (words = `${words}${text}`.slice(-MAX_WORDS)));
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code) => resolve({ code, words }));
  });
  const working = new Promise<void>((resolve) => {
    child.stdout.once("data", () => resolve());
    child.once("close", () => resolve());
  });
  return {
    pid,
    working,
    ended,
    kill() {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

/** Gives whether there was an exec host to be killed. */
export function killExecHost({ state }: World, signal: "SIGKILL" | "SIGTERM"): boolean {
  const host = readHostFile(state);
  if (host === undefined) return false;
  try {
    process.kill(host.pid, signal);
    return true;
  } catch {
    // What it said of itself is older than its end.
    return false;
  }
}
