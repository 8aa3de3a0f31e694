import { Socket } from "node:net";
import type { InputState } from "../../contract.js";
import { ExecError } from "../../errors.js";

/** What a command is given to read. */
export interface CommandInput {
  /** Resolves when the bytes are in the pipe. `at` is where in the whole input they begin. @throws {ExecError} */
  write(bytes: Uint8Array, at?: number): Promise<InputState>;
  /** The command finds the end behind what was written. */
  end(): InputState;
  /** Nothing is read any more, so nothing that waits is written. */
  close(): void;
}

/** Bytes that may wait for a command that does not read. */
export const MAX_WAITING_INPUT_BYTES = 1_048_576;

/** Takes over the descriptor of the writing end of a pipe. */
export function createCommandInput(fd: number): CommandInput {
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.unref();
  // Each write is told of it.
  socket.on("error", () => undefined);
  let acceptedBytes = 0;
  let ended = false;

  function accept(bytes: Uint8Array, at: number): Uint8Array {
    const isPlace = Number.isSafeInteger(at) && at >= 0;
    if (!isPlace || at > acceptedBytes) {
      throw new ExecError("invalid_argument", `at is ${at}; the input has ${acceptedBytes} bytes until now`);
    }
    const fresh = bytes.subarray(Math.min(acceptedBytes - at, bytes.length));
    if (fresh.length === 0) return fresh;
    if (ended) throw new ExecError("input_closed", "the input was ended before");
    if (socket.destroyed) throw closed(undefined);
    if (socket.writableLength + fresh.length > MAX_WAITING_INPUT_BYTES) {
      const waiting = `${socket.writableLength} bytes of input wait to be read`;
      throw new ExecError(
        "input_full",
        `${waiting} and at most ${MAX_WAITING_INPUT_BYTES} may; write ${fresh.length} bytes more when the command has read`,
      );
    }
    acceptedBytes += fresh.length;
    return fresh;
  }

  return {
    async write(bytes, at = acceptedBytes) {
      const fresh = accept(bytes, at);
      if (fresh.length > 0) await writeTo(socket, Buffer.from(fresh));
      return { acceptedBytes };
    },
    end() {
      ended = true;
      socket.end();
      return { acceptedBytes };
    },
    close: () => void socket.destroy(),
  };
}

function writeTo(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => {
      // A write that was under way as the socket was destroyed is told of no error.
      const isWritten = (error === null || error === undefined) && !socket.destroyed;
      if (isWritten) resolve();
      else reject(closed(error));
    });
  });
}

function closed(cause: unknown): ExecError {
  return new ExecError("input_closed", "nobody reads the command's input any more", { cause });
}
