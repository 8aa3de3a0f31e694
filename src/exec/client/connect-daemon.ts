import { connect } from "node:net";
import type { Socket } from "node:net";
import { systemClock } from "../clock.js";
import type { Clock } from "../clock.js";
import { ExecError } from "../errors.js";
import { readHostFile } from "../host/host-file.js";
import type { ByteChannel } from "../link/channel.js";
import { socketChannel } from "../link/socket-channel.js";
import { holdProcess } from "../local/hold-process.js";
import { sayToken } from "../link/token.js";

export interface ConnectDaemonOptions {
  /** The folder of the daemon, as it was started with. */
  readonly root: string;
  /** Starts a daemon where none answers; without it that is a failure. */
  readonly start?: (() => Promise<void>) | undefined;
  readonly clock?: Clock | undefined;
}

/** How long a daemon that was started has until it answers: a busy machine. */
const START_MS = 20_000;
const LOOK_MS = 25;

/** Reaches the exec host that keeps a folder, on its socket. */
export function connectDaemon(options: ConnectDaemonOptions): () => Promise<ByteChannel> {
  return async () => socketChannel(await connectHostSocket(options));
}

/** A socket to the host, on which the token was said. @throws {ExecError} `link_lost` */
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
  await start();
  const begun = clock.monotonic();
  for (;;) {
    const socket = await tryConnect(root);
    if (!(socket instanceof ExecError)) return socket;
    if (clock.monotonic() - begun > START_MS) {
      throw new ExecError("link_lost", `the exec host of ${root} was started and does not answer; see its log there`, {
        cause: socket,
      });
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
