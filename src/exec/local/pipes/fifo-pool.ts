import { execFile } from "node:child_process";
import { closeSync, constants, fstatSync, mkdtempSync, openSync, rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * A pipe for the output of a command. Node's own pipes are sockets, which a command cannot open again under the names
 * `/dev/stdout`, `/dev/stderr` and `/dev/fd/N`.
 */
export interface Fifo {
  /** For reading; without waiting, except by a command. */
  readonly readFd: number;
  readonly writeFd: number;
}

/** Pipes that are ready to use. Made several at a time, because only a program can make them. */
export interface FifoPool {
  take(count: number): Promise<readonly Fifo[]>;
  /** One for the input of a command, which waits for what it reads, while this process never waits to write. */
  takeInput(): Promise<Fifo>;
  /** Closes those that nobody took. */
  close(): Promise<void>;
}

/** Pipes made at first: two for each of four executions. */
const FIRST_BATCH = 8;
/** Who runs many commands is given twice as many each time, up to these: making them costs a process. */
const LARGEST_BATCH = 64;

/** `home` is a folder that this user can write to; nothing is left in it. */
export function createFifoPool(home: string, makeFifos: MakeFifos): FifoPool {
  const ready: Fifo[] = [];
  let refill: Promise<void> | undefined;
  let batch = FIRST_BATCH;
  let closed = false;

  const fill = (): Promise<void> => {
    refill ??= makePipes(home, batch, makeFifos, openFifo)
      .then((made) => {
        batch = Math.min(batch * 2, LARGEST_BATCH);
        if (closed) made.forEach(closeFifo);
        else ready.push(...made);
      })
      .finally(() => {
        refill = undefined;
      });
    return refill;
  };

  return {
    async take(count) {
      while (ready.length < count) {
        if (closed) throw new Error("the pool was closed");
        await fill();
      }
      const taken = ready.splice(0, count);
      // Ahead of need, so that the next execution does not wait. A failure shows when one does.
      if (ready.length < count) fill().catch(() => undefined);
      return taken;
    },
    async takeInput() {
      const [fifo] = await makePipes(home, 1, makeFifos, openInputFifo);
      if (fifo === undefined) throw new Error("no pipe was made");
      return fifo;
    },
    async close() {
      closed = true;
      await refill?.catch(() => undefined);
      ready.splice(0).forEach(closeFifo);
    },
  };
}

export function closeFifo(fifo: Fifo): void {
  closeSync(fifo.readFd);
  closeSync(fifo.writeFd);
}

/** The same for every descriptor of a pipe, in this process and in others. */
export function pipeIdentity(fd: number): string {
  const { dev, ino } = fstatSync(fd);
  return `${dev}:${ino}`;
}

/** Makes pipes with these absolute paths, readable and writable by this user alone. */
export type MakeFifos = (paths: readonly string[]) => Promise<void>;

async function makePipes(
  home: string,
  count: number,
  makeFifos: MakeFifos,
  open: (path: string) => Fifo,
): Promise<Fifo[]> {
  // Mode 0700 and a name that nobody can guess: no other user can open a pipe while it has a name.
  const folder = mkdtempSync(join(home, "spillway-"));
  const fifos: Fifo[] = [];
  try {
    const paths = Array.from({ length: count }, (_, index) => join(folder, String(index)));
    await makeFifos(paths);
    for (const path of paths) fifos.push(open(path));
    return fifos;
  } catch (error) {
    fifos.forEach(closeFifo);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openFifo(path: string): Fifo {
  // The reading end first: the writing end would wait for one.
  const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { readFd, writeFd: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    closeSync(readFd);
    throw error;
  } finally {
    unlinkSync(path);
  }
}

/** The waiting is a property of an opened end, so a command's must not be the one that lets the writing end be opened. */
function openInputFifo(path: string): Fifo {
  const firstReader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writeFd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      return { readFd: openSync(path, constants.O_RDONLY), writeFd };
    } catch (error) {
      closeSync(writeFd);
      throw error;
    }
  } finally {
    closeSync(firstReader);
    unlinkSync(path);
  }
}

/** Makes them with the `mkfifo` program, found in the `PATH` of `environment`. */
export function mkfifoProgram(environment: Readonly<Record<string, string | undefined>>): MakeFifos {
  return (paths) =>
    new Promise((resolve, reject) => {
      execFile("mkfifo", ["-m", "600", ...paths], { env: { PATH: environment["PATH"] } }, (error, _stdout, stderr) => {
        if (error === null) resolve();
        else reject(new Error(`mkfifo failed: ${stderr.trim() || error.message}`, { cause: error }));
      });
    });
}
