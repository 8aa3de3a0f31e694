import { createHash } from "node:crypto";
import { closeSync, constants, openSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const RETRY_MS = 100;
// Of open(2) on macOS, where Node names no constant for it: opens and locks in one step.
const O_EXLOCK = 0x20;

/**
 * One holder per checkout and machine. Both kinds below are locks of the kernel: they go with the last process that
 * holds the descriptor, however it ends, so none is ever stale. Steps inherit `fd`, and so keep the lock when this
 * process is killed under them.
 */
export async function acquireLock(root, onWait) {
  const tryLock = process.platform === "linux" ? tryAbstractSocket : tryLockedFile;
  for (let attempt = 0; ; attempt += 1) {
    const lock = await tryLock(root);
    if (lock !== undefined) return lock;
    if (attempt === 0) onWait();
    await sleep(RETRY_MS);
  }
}

/** A name in Linux' abstract socket namespace: no file, and only one listener. */
function tryAbstractSocket(root) {
  const uid = process.getuid?.() ?? 0;
  const name = `spillway-start-${uid}-${createHash("sha256").update(root).digest("hex").slice(0, 32)}`;
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(undefined) : reject(error)));
    server.listen({ path: `\0${name}`, exclusive: true }, () => {
      resolve({ fd: server._handle?.fd ?? "ignore", release: () => server.close() });
    });
  });
}

async function tryLockedFile(root) {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK;
  try {
    const fd = openSync(join(root, ".start.lock"), flags, 0o600);
    return { fd, release: () => closeSync(fd) };
  } catch (error) {
    if (error.code === "EAGAIN" || error.code === "EWOULDBLOCK") return undefined;
    throw error;
  }
}
