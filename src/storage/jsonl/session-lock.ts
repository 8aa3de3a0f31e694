import * as fs from "node:fs";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { openRegular } from "./node-files.js";

/** Who may write a session. */
export interface SessionLocks {
  /** Takes the lock at a path, or says who has it. Never waits for a holder, and never takes over from one that lives. */
  acquire(path: string, purpose?: LockPurpose): Promise<HeldLock | RefusedLock>;
}

/**
 * `write`, the default: held for long, so others are refused. `sweep`: held for a moment, without a word about who has it,
 * so that who comes for the session meanwhile waits for it; a sweep itself does not wait.
 */
export type LockPurpose = "write" | "sweep";

export interface HeldLock {
  readonly isHeld: true;
  release(): Promise<void>;
}

export interface RefusedLock {
  readonly isHeld: false;
  /** The holder's process, where it has told. */
  readonly pid: number | undefined;
}

/**
 * Locks of the kernel on open files: gone in the moment in which their process is, held by a process that is paused,
 * and exclusive within one process too.
 */
export const kernelLocks: SessionLocks = {
  async acquire(path, purpose = "write") {
    for (let count = 1; ; count += 1) {
      const descriptor = await openRegular(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
      const attempt = await lock(descriptor, purpose).catch(async (error: unknown) => {
        await close(descriptor);
        throw error;
      });
      if (!attempt.isHeld) {
        // A holder that took the lock this moment has not said yet who it is, or its dead predecessor still stands there.
        if (purpose === "sweep" || isAlive(attempt.pid) || count > MAX_WAITS) return attempt;
        await setTimeout(WAIT_MS);
        continue;
      }
      // The file that was locked may have been removed with its session meanwhile; then its successor is locked instead.
      if (await isAt(path, descriptor)) return attempt;
      await attempt.release();
    }
  },
};

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = fs.constants;
/** Two seconds: a holder on a busy machine. */
const MAX_WAITS = 200;
const WAIT_MS = 10;

// Descriptors, because a `FileHandle` that nobody refers to any more is closed by the garbage collector, and the lock
// would go with it while its session is still written.
const close = promisify(fs.close);
const read = promisify(fs.read);
const truncate = promisify(fs.ftruncate);
const stat = promisify(fs.fstat);

async function lock(descriptor: number, purpose: LockPurpose): Promise<HeldLock | RefusedLock> {
  // Loaded when first needed, so that the memory storage runs where no native code does.
  const { tryLock } = await import("fs-native-extensions");
  if (!tryLock(descriptor)) {
    const pid = await readPid(descriptor);
    await close(descriptor);
    return { isHeld: false, pid };
  }
  if (purpose === "write") tellPid(descriptor);
  else forgetPid(descriptor);
  return {
    isHeld: true,
    async release() {
      await truncate(descriptor).catch(() => undefined);
      await close(descriptor);
    },
  };
}

/**
 * Only a word to those who are refused: on a full disk, where it cannot be written, a session can still be removed. In the
 * turn of the lock and by one write over what a predecessor left, so that next to nobody meets a lock without a name.
 */
function tellPid(descriptor: number): void {
  try {
    fs.writeSync(descriptor, `${process.pid}`.padEnd(PID_LENGTH) + "\n", 0);
  } catch {
    // Nobody is told.
  }
}

/** The number of a dead predecessor may be that of another process by now. */
function forgetPid(descriptor: number): void {
  try {
    fs.ftruncateSync(descriptor);
  } catch {
    // Who comes is told the predecessor's.
  }
}

const PID_LENGTH = 10;

async function readPid(descriptor: number): Promise<number | undefined> {
  const buffer = Buffer.alloc(16);
  const { bytesRead } = await read(descriptor, buffer, 0, buffer.length, 0);
  const pid = Number.parseInt(buffer.toString("latin1", 0, bytesRead), 10);
  return Number.isNaN(pid) ? undefined : pid;
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function isAt(path: string, descriptor: number): Promise<boolean> {
  const held = await stat(descriptor);
  return fs.promises.stat(path).then(
    ({ dev, ino }) => dev === held.dev && ino === held.ino,
    () => false,
  );
}
