import { chmod, unlink } from "node:fs/promises";
import type { Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, ListenOptions } from "node:net";
import { WireError } from "./errors.js";

/** macOS allows 103 bytes and Linux 107. */
export const MAX_SOCKET_PATH_BYTES = 99;

/** Connections that may wait to be accepted, such as those of many viewers who come back at once. */
const BACKLOG = 1_024;

export interface TcpOptions {
  /** Default one that is free. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Whether `host` may be reached from other machines. Default false. */
  readonly allowRemote?: boolean | undefined;
  /** Further names, as `host:port`, under which the server is reached. */
  readonly names?: readonly string[] | undefined;
}

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
  /** Such as `http://127.0.0.1:4711`. */
  readonly origin: string;
  /** The exact values of `Host` that are accepted. */
  readonly hosts: readonly string[];
}

export async function listenTcp(server: Server, options: TcpOptions): Promise<TcpAddress> {
  const host = options.host ?? "127.0.0.1";
  if (options.allowRemote !== true && !isLoopback(host)) {
    throw new WireError(
      "not_loopback",
      `${host} may be reached from other machines, and who reaches it sees commands and output; use 127.0.0.1, or allow it in so many words`,
    );
  }
  await listen(server, { host, port: options.port ?? 0, exclusive: true });
  const { port } = server.address() as AddressInfo;
  const written = host.includes(":") ? `[${host}]` : host;
  return {
    host,
    port,
    origin: `http://${written}:${port}`,
    hosts: [`${written}:${port}`, ...(isLoopback(host) ? [`localhost:${port}`] : []), ...(options.names ?? [])],
  };
}

export async function listenUnix(server: Server, path: string): Promise<void> {
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw new WireError(
      "socket_path_too_long",
      `the socket path ${path} has ${bytes} bytes, at most ${MAX_SOCKET_PATH_BYTES} work everywhere; use a shorter folder`,
    );
  }
  try {
    await listen(server, { path });
  } catch (error) {
    if (!(error instanceof WireError) || error.code !== "address_in_use" || (await isAnswered(path))) throw error;
    await unlink(path);
    await listen(server, { path });
  }
  await chmod(path, 0o600);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

async function listen(server: Server, options: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, options)));
    server.listen({ ...options, backlog: BACKLOG }, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

function listenError(error: NodeJS.ErrnoException, { path, host, port }: ListenOptions): WireError {
  const place = path ?? `${host}:${port}`;
  return error.code === "EADDRINUSE"
    ? new WireError("address_in_use", `another program listens on ${place}`, { cause: error })
    : new WireError("listen_failed", `cannot listen on ${place}: ${error.message}`, { cause: error });
}

/** Whether a program listens on the socket file; the file of one that died stays behind. */
async function isAnswered(path: string): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "ECONNREFUSED"));
  });
}
