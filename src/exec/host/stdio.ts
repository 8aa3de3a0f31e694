import type { Readable, Writable } from "node:stream";
import type { Socket } from "node:net";
import { createExecHost } from "./exec-host.js";
import type { ExecHostOptions } from "./exec-host.js";

export interface Stdio {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/**
 * Serves the one client at the other end of this process's streams. Nobody can come back to it once they ended, so what runs
 * ends with them; for more there is the daemon, and {@link relayStdio} to reach it.
 */
export async function serveStdio(options: ExecHostOptions, { stdin, stdout }: Stdio): Promise<void> {
  const host = createExecHost(options);
  await host.serve({
    readable: stdin,
    writable: stdout,
    close() {
      stdin.destroy();
      stdout.end();
    },
  });
  await host.close();
}

/** Carries bytes between this process's streams and a daemon's socket until either ends. */
export function relayStdio(socket: Socket, { stdin, stdout }: Stdio): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stdin.destroy();
      socket.destroy();
      stdout.end();
      resolve();
    };
    for (const stream of [stdin, stdout, socket]) stream.once("error", end);
    socket.once("close", end);
    stdin.pipe(socket);
    socket.pipe(stdout);
  });
}
