import * as fs from "node:fs";
import { promisify } from "node:util";

/** Who may write a session. */
export interface SessionLocks {
  /** Takes the lock at a path, or says who has it. Never waits for a holder, and never takes over from one that lives. */
  acquire(path: string): Promise<HeldLock | RefusedLock>;
}

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
  async acquire(path) {
    for (let count = 1; ; count += 1) {
      const descriptor = await open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
      const attempt = await lock(descriptor).catch(async (error: unknown) => {
        await close(descriptor);
        throw error;
      });
      if (!attempt.isHeld) {
        // A holder that took the lock this moment has not said yet who it is, or its dead predecessor still stands there.
        if (isAlive(attempt.pid) || count >= MAX_ATTEMPTS) return attempt;
        continue;
      }
      // The file that was locked may have been removed with its session meanwhile; then its successor is locked instead.
      if (await isAt(path, descriptor)) return attempt;
      await attempt.release();
    }
  },
};

const { O_CREAT, O_NOFOLLOW, O_RDWR } = fs.constants;
const MAX_ATTEMPTS = 50;

// Descriptors, because a `FileHandle` that nobody refers to any more is closed by the garbage collector, and the lock
// would go with it while its session is still written.
const open = promisify(fs.open);
const close = promisify(fs.close);
const read = promisify(fs.read);
const write = promisify(fs.write);
const truncate = promisify(fs.ftruncate);
const stat = promisify(fs.fstat);

async function lock(descriptor: number): Promise<HeldLock | RefusedLock> {
  // Loaded when first needed, so that the memory storage runs where no native code does.
  const { tryLock } = await import("fs-native-extensions");
  if (!tryLock(descriptor)) {
    const pid = await readPid(descriptor);
    await close(descriptor);
    return { isHeld: false, pid };
  }
  // Only a word to those who are refused: on a full disk, where it cannot be written, a session can still be removed.
  await writePid(descriptor).catch(() => undefined);
  return {
    isHeld: true,
    async release() {
      await truncate(descriptor).catch(() => undefined);
      await close(descriptor);
    },
  };
}

async function writePid(descriptor: number): Promise<void> {
  await truncate(descriptor);
  const told = Buffer.from(`${process.pid}\n`);
  await write(descriptor, told, 0, told.length, 0);
}

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
