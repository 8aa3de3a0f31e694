import { timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import type { Clock } from "../clock.js";

/** The first line on a socket, before the protocol: whoever cannot read the token's file has no use of the socket. */
export function sayToken(socket: Socket, token: string): void {
  socket.write(`${token}\n`);
}

const MAX_LINE_BYTES = 128;
const TOKEN_MS = 5_000;

/** Whether the first line is the token; the bytes behind it are left to be read. */
export function hearToken(socket: Socket, token: string, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    let line = Buffer.alloc(0);
    const limit = clock.after(TOKEN_MS, () => decide(false));

    function decide(isAccepted: boolean): void {
      limit.cancel();
      socket.off("readable", read);
      socket.off("close", close);
      resolve(isAccepted);
    }
    function read(): void {
      for (;;) {
        const bytes: Buffer | null = socket.read();
        if (bytes === null) return;
        const end = bytes.indexOf(10);
        line = Buffer.concat([line, end < 0 ? bytes : bytes.subarray(0, end)]);
        if (end >= 0) {
          if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1));
          decide(isSame(line, Buffer.from(token)));
          return;
        }
        if (line.length > MAX_LINE_BYTES) {
          decide(false);
          return;
        }
      }
    }
    function close(): void {
      decide(false);
    }
    socket.on("readable", read);
    socket.once("close", close);
  });
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
