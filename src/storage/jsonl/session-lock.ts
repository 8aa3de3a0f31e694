import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

/** Who may write a session. */
export interface SessionLocks {
  /** Takes the lock at a path, or says who has it. Never waits and never takes over a lock whose holder lives. */
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
    // The file that was locked may have been removed with its session meanwhile; then its successor is locked instead.
    for (;;) {
      const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
      const attempt = await lock(file).catch(async (error: unknown) => {
        await file.close();
        throw error;
      });
      if (!attempt.isHeld || (await isAt(path, file))) return attempt;
      await attempt.release();
    }
  },
};

async function lock(file: FileHandle): Promise<HeldLock | RefusedLock> {
  // Loaded when first needed, so that the memory storage runs where no native code does.
  const { tryLock } = await import("fs-native-extensions");
  if (!tryLock(file.fd)) {
    const pid = Number.parseInt(await file.readFile("latin1"), 10);
    await file.close();
    return { isHeld: false, pid: Number.isNaN(pid) ? undefined : pid };
  }
  await file.truncate();
  await file.write(`${process.pid}\n`, 0);
  return {
    isHeld: true,
    async release() {
      try {
        await file.truncate();
      } finally {
        await file.close();
      }
    },
  };
}

async function isAt(path: string, file: FileHandle): Promise<boolean> {
  const held = await file.stat();
  return stat(path).then(
    ({ dev, ino }) => dev === held.dev && ino === held.ino,
    () => false,
  );
}
