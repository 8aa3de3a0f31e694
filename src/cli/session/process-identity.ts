import { readFileSync } from "node:fs";

/** What tells a process from a later one with the same number, on this machine and in this boot. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The kernel's id of its boot; empty where it has none. */
  readonly bootId: string;
  /** Clock ticks after the boot at which the process began; 0 where the system does not say. */
  readonly startTicks: number;
}

/** `undefined` where no such process lives. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  if (!isAlive(pid)) return undefined;
  const stat = readText(`/proc/${pid}/stat`);
  // The name in the second field may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // Dead, and not yet noticed by its parent.
  if (fields[STATE_FIELD] === "Z") return undefined;
  return {
    pid,
    bootId: readText("/proc/sys/kernel/random/boot_id").trim(),
    startTicks: Number(fields[START_FIELD]) || 0,
  };
}

export function isRunning(identity: ProcessIdentity): boolean {
  const found = identifyProcess(identity.pid);
  return found !== undefined && found.bootId === identity.bootId && found.startTicks === identity.startTicks;
}

/** The third field of a process's stat line, counted from behind its name. */
const STATE_FIELD = 0;
/** The 22nd. */
const START_FIELD = 19;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process lives too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
