import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { dirname, join } from "node:path";
import { systemClock } from "../clock.js";
import { ExecError } from "../errors.js";
import { encodeFrame } from "../link/frames.js";
import { PREAMBLE } from "../link/limits.js";
import type { DownMessage } from "../link/messages.js";
import { socketChannel } from "../link/socket-channel.js";
import { hearToken } from "../link/token.js";
import { createExecHost } from "./exec-host.js";
import type { ExecHost, ExecHostOptions } from "./exec-host.js";
import { hostPlaces, readHostFile, removeHostFile, writeHostFile } from "./host-file.js";
import { takeHostLock } from "./host-lock.js";
import { watchIdle } from "./idle.js";

export interface DaemonOptions extends Omit<ExecHostOptions, "spillRoot"> {
  /** The folder that it keeps: what it says of itself lies in `run`, spills in `spill`. */
  readonly root: string;
  /** Where it listens; at most 100 bytes. The folder is made, for this user alone. */
  readonly socketPath: string;
  /** Ends it when nobody has been connected, nothing has run and no result has waited for so long. Never where absent. */
  readonly idleExitMs?: number | undefined;
}

export interface Daemon {
  readonly host: ExecHost;
  /** Resolves when it has ended, in whatever way. */
  readonly ended: Promise<void>;
  /** Stops all executions, and ends. */
  close(): Promise<void>;
}

/** Starts the exec host of a folder on a socket; undefined where the folder has one already. @throws {ExecError} */
export async function startDaemon(options: DaemonOptions): Promise<Daemon | undefined> {
  const { root, socketPath, clock = systemClock } = options;
  checkSocketPath(socketPath);
  const places = hostPlaces(root);
  makePrivate(dirname(places.lock));
  const lock = await takeHostLock(places.lock);
  if (lock === undefined) return undefined;
  shortenLog(places.log);
  // Of one that was killed: its token is nobody's from now on.
  rmSync(places.file, { force: true });
  const hidden = [root, dirname(socketPath), ...(options.hidden ?? [])];
  const host = createExecHost({ ...options, hidden, spillRoot: join(root, "spill") });
  const token = randomBytes(32).toString("hex");
  const server = createServer((socket) => void admit(socket).catch(() => socket.destroy()));
  await listen(server, socketPath);
  writeHostFile(root, { pid: process.pid, ...host.identity, socket: socketPath, token });

  async function admit(socket: Socket): Promise<void> {
    socket.on("error", () => undefined);
    if (await hearToken(socket, token, clock)) await host.serve(socketChannel(socket));
    else refuse(socket);
  }

  let tellEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    tellEnded = resolve;
  });
  let closing: Promise<void> | undefined;
  async function end(): Promise<void> {
    idle.stop();
    // Nobody is sent here any more, and the next one can be started.
    removeHostFile(root, host.identity);
    server.close();
    await host.close();
    lock?.release();
    tellEnded();
  }
  const close = (): Promise<void> => (closing ??= end());

  const isLost = (): boolean => readHostFile(root)?.hostId !== host.identity.hostId;
  const idle = watchIdle({ host, clock, idleExitMs: options.idleExitMs, isLost, onIdle: () => void close() });
  return { host, ended, close };
}

/** What the address of a socket holds, on every system. */
const MAX_SOCKET_BYTES = 100;

function checkSocketPath(path: string): void {
  if (Buffer.byteLength(path) <= MAX_SOCKET_BYTES && path.startsWith("/")) return;
  throw new ExecError(
    "invalid_argument",
    `the socket's path ${path} is not absolute or longer than ${MAX_SOCKET_BYTES} bytes; give a shorter one`,
  );
}

function makePrivate(folder: string): void {
  makeFolder(folder);
  const { uid, mode } = statSync(folder);
  if (uid !== (process.getuid?.() ?? uid)) {
    throw new ExecError("permission_denied", `the folder ${folder} belongs to user ${uid}; give one of your own`);
  }
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Not with `recursive`, which goes on for ever below /proc. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    // Another start has made it meanwhile.
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return;
    throw new ExecError("invalid_argument", `cannot make the folder ${path}: ${String(cause)}`, { cause });
  }
}

/** Whoever has the lock may take the place of a socket that a killed host left; nothing else is removed. */
async function listen(server: Server, path: string): Promise<void> {
  makePrivate(dirname(path));
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSocket() === true) rmSync(path);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new ExecError("internal", `cannot listen at ${path}: ${cause.message}`, { cause }));
    });
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
}

function refuse(socket: Socket): void {
  const message: DownMessage = { type: "refused", message: "the token is not this exec host's" };
  socket.end(Buffer.concat([Buffer.from(PREAMBLE), encodeFrame(message)]));
  socketChannel(socket).close();
}

const MAX_LOG_BYTES = 262_144;

function shortenLog(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) truncateSync(path);
}
