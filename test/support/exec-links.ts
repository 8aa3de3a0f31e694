import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { PassThrough } from "node:stream";
import { join } from "node:path";
import { createExecHost } from "../../src/exec/host/exec-host.js";
import type { ExecHost, ExecHostOptions } from "../../src/exec/host/exec-host.js";
import { systemClock } from "../../src/exec/index.js";
import type { Clock } from "../../src/exec/index.js";
import type { ByteChannel } from "../../src/exec/link/channel.js";
import { socketChannel } from "../../src/exec/link/socket-channel.js";

/** A host in this process, behind a socket. */
export interface LocalHost {
  readonly host: ExecHost;
  readonly folder: string;
  readonly path: string;
  readonly connect: () => Promise<ByteChannel>;
  close(): Promise<void>;
}

export async function openLocalHost(options: Partial<ExecHostOptions> = {}): Promise<LocalHost> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "spillway-links-")));
  const environment = process.env;
  const host = createExecHost({ cwd: folder, environment, spillRoot: join(folder, "spill"), ...options });
  const path = join(folder, "host.sock");
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    void host.serve(socketChannel(socket));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    host,
    folder,
    path,
    connect: async () => socketChannel(await connectTo(path)),
    async close() {
      server.close();
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ways on which everything that either end says is heard. */
export function listenIn(connect: () => Promise<ByteChannel>): {
  readonly connect: () => Promise<ByteChannel>;
  readonly heard: { up: string; down: string };
} {
  const heard = { up: "", down: "" };
  return {
    heard,
    async connect() {
      const { readable, writable, ...rest } = await connect();
      const up = new PassThrough();
      const down = new PassThrough();
      up.on("data", (bytes: Buffer) => (heard.up += bytes.toString("latin1")));
      readable.on("data", (bytes: Buffer) => (heard.down += bytes.toString("latin1")));
      up.pipe(writable);
      readable.pipe(down);
      return { ...rest, readable: down, writable: up };
    },
  };
}

export function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.once("error", reject);
  });
}

export type LinkFault = "reset" | "stall" | "half-close";

/** What becomes of one link: whole, or a fault after so many bytes from the host. */
export type LinkFate = { readonly fault: LinkFault; readonly afterBytes: number } | undefined;

/** Links to a host on which things go wrong. A link that stalls stays open and carries nothing more in either direction. */
export function createFaultyConnect(path: string, nextFate: () => LinkFate): () => Promise<ByteChannel> {
  return async () => {
    const fate = nextFate();
    const [toHost, ends] = await Promise.all([connectTo(path), socketPair()]);
    const [clientEnd, proxyEnd] = ends;
    let carried = 0;
    let isOver = false;
    for (const socket of [toHost, clientEnd, proxyEnd]) socket.on("error", () => undefined);
    toHost.on("data", (bytes: Buffer) => {
      if (isOver) return;
      const room = fate === undefined ? Infinity : fate.afterBytes - carried;
      carried += bytes.length;
      proxyEnd.write(bytes.subarray(0, Math.min(room, bytes.length)));
      if (bytes.length < room) return;
      isOver = true;
      if (fate?.fault === "reset") {
        toHost.destroy();
        proxyEnd.resetAndDestroy();
      } else if (fate?.fault === "half-close") proxyEnd.end();
    });
    proxyEnd.on("data", (bytes: Buffer) => {
      if (!isOver) toHost.write(bytes);
    });
    proxyEnd.on("close", () => toHost.destroy());
    toHost.on("close", () => {
      if (!isOver) proxyEnd.destroy();
    });
    return socketChannel(clientEnd);
  };
}

/** Two ends of one TCP connection, so that it can be reset. */
async function socketPair(): Promise<[client: Socket, proxy: Socket]> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const client = connect(address.port, "127.0.0.1");
  const proxy = await accepted;
  server.close();
  return [client, proxy];
}

/** Time that passes so many times as fast. */
export function createFastClock(factor: number): Clock {
  return {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic() * factor,
    after: (delayMs, callback) => systemClock.after(delayMs / factor, callback),
  };
}
