import { connect } from "node:net";
import type { Socket } from "node:net";
import { systemClock } from "../clock.js";
import type { Clock } from "../clock.js";
import { ExecError } from "../errors.js";
import { hostPlaces, readHostFile } from "../host/host-file.js";
import type { ByteChannel } from "../link/channel.js";
import { socketChannel } from "../link/socket-channel.js";
import { holdProcess } from "../local/hold-process.js";
import { sayToken } from "../link/token.js";
import type { DetachedProgram } from "./start-detached.js";

export interface ConnectDaemonOptions {
  /** The folder of the daemon, as it was started with. */
  readonly root: string;
  /** Starts a daemon where none answers, see {@link startDetached}; without it that is a failure. */
  readonly start?: (() => Promise<DetachedProgram>) | undefined;
  readonly clock?: Clock | undefined;
}

/** How long a daemon that was started has until it answers: a busy machine. */
const START_MS = 20_000;
/** Of several that are started at once all but one end, and that one may still be about to answer. */
const OTHER_START_MS = 5_000;
const LOOK_MS = 25;

/** Reaches the exec host that keeps a folder, on its socket. */
export function connectDaemon(options: ConnectDaemonOptions): () => Promise<ByteChannel> {
  return async () => socketChannel(await connectHostSocket(options));
}

/** A socket to the host, on which the token was said. @throws {ExecError} `link_lost`, `spawn_failed` */
export async function connectHostSocket(options: ConnectDaemonOptions): Promise<Socket> {
  const release = holdProcess();
  try {
    return await findOrStart(options);
  } finally {
    release();
  }
}

async function findOrStart({ root, start, clock = systemClock }: ConnectDaemonOptions): Promise<Socket> {
  const first = await tryConnect(root);
  if (!(first instanceof ExecError)) return first;
  if (start === undefined) throw first;
  const program = await start();
  const begun = clock.monotonic();
  for (;;) {
    const isStarting = isAlive(program.pid);
    const socket = await tryConnect(root);
    if (!(socket instanceof ExecError)) return socket;
    if (clock.monotonic() - begun > (isStarting ? START_MS : OTHER_START_MS)) {
      const fate = isStarting ? "was started and does not answer" : "ended as it was started";
      const why = `${program.lastWords()}; see ${hostPlaces(root).log}`;
      throw new ExecError("spawn_failed", `the exec host of ${root} ${fate}: ${why}`, { cause: socket });
    }
    await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve));
  }
}

async function tryConnect(root: string): Promise<Socket | ExecError> {
  const file = readHostFile(root);
  if (file === undefined) return new ExecError("link_lost", `no exec host keeps ${root}`);
  try {
    const socket = await connectTo(file.socket);
    // Another host may have taken the place meanwhile, with another token.
    if (readHostFile(root)?.hostId === file.hostId) {
      sayToken(socket, file.token);
      return socket;
    }
    socket.destroy();
    return new ExecError("link_lost", `the exec host of ${root} (process ${file.pid}) has just ended`);
  } catch (cause) {
    return new ExecError("link_lost", `the exec host of ${root} (process ${file.pid}) does not answer`, { cause });
  }
}

function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
