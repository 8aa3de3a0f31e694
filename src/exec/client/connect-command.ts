import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { ExecError } from "../errors.js";
import type { ByteChannel } from "../link/channel.js";

export interface ConnectCommandOptions {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Reaches an exec host through a program that speaks its protocol on its standard streams: `spillway exec-host --stdio`, or
 * what carries it from elsewhere, such as `ssh` and `docker exec -i`.
 */
export function connectCommand(
  words: readonly [program: string, ...args: string[]],
  options: ConnectCommandOptions = {},
): () => Promise<ByteChannel> {
  const [program, ...args] = words;
  return async () => {
    const child = spawn(program, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (cause) => {
        reject(new ExecError("link_lost", `cannot start ${program}: ${cause.message}`, { cause }));
      });
    });
    child.on("error", () => undefined);
    return channelOf(child);
  };
}

const MAX_REMARK_BYTES = 1_000;
/** How long the program has to end by itself once its input did. */
const END_MS = 3_000;

/** The program lives as long as its input is open, and does not keep this process alive. */
function channelOf(child: ChildProcessByStdio<Writable, Readable, Readable>): ByteChannel {
  let remarks = "";
  child.stderr.on("data", (bytes: Buffer) => {
    remarks = (remarks + bytes.toString("utf8")).slice(-MAX_REMARK_BYTES);
  });
  child.stderr.on("error", () => undefined);
  let ending: NodeJS.Timeout | undefined;
  child.once("exit", () => clearTimeout(ending));
  child.unref();
  // Pipes to a child are sockets of Node's.
  for (const stream of [child.stdin, child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
  return {
    readable: child.stdout,
    writable: child.stdin,
    remarks: () => remarks,
    close() {
      child.stdin.end();
      child.stdout.destroy();
      if (child.exitCode !== null || child.signalCode !== null) return;
      ending ??= setTimeout(() => child.kill("SIGKILL"), END_MS);
      ending.unref();
    },
  };
}
