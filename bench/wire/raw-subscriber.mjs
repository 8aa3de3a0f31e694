import { connect } from "node:net";
import { MARK_BYTES, nowMicros, readTimeMarks } from "../lib/monotonic.mjs";
import { FACET_PATH, TOKEN } from "./played-lane.mjs";

const REQUEST = `GET ${FACET_PATH} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`;

/**
 * A subscriber that reads frames and notes when they came. It does not fold them, so that a thousand of them in one process
 * measure the host and not themselves.
 *
 * @param {string} socketPath
 * @param {(latencyMicros: number) => void} onBatch
 * @returns {{ joined: Promise<void>, ended: Promise<void> }}
 */
export function subscribeRaw(socketPath, onBatch) {
  const socket = connect(socketPath);
  socket.write(REQUEST);
  let pending = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    const now = nowMicros();
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let from = 0;
    for (let end = bytes.indexOf("\n\n"); end !== -1; end = bytes.indexOf("\n\n", from)) {
      const sentAt = timeOfBatch(bytes.subarray(from, end));
      if (sentAt !== undefined) onBatch(now - sentAt);
      from = end + 2;
    }
    pending = bytes.subarray(from);
  });
  return { joined: nextEvent(socket, "data"), ended: nextEvent(socket, "close") };
}

/**
 * @param {import("node:net").Socket} socket
 * @param {string} name
 * @returns {Promise<void>}
 */
function nextEvent(socket, name) {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once(name, () => resolve());
  });
}

/**
 * A subscriber that asks and then reads nothing.
 *
 * @param {string} socketPath
 */
export function subscribeAndStall(socketPath) {
  const socket = connect(socketPath).pause();
  socket.write(REQUEST);
  socket.on("error", () => undefined);
  return { leave: () => socket.destroy() };
}

/**
 * When the event of a frame was made; undefined where it is no batch, or a base, which has the times of many.
 *
 * @param {Buffer} frame
 */
function timeOfBatch(frame) {
  const head = frame.toString("latin1", 0, 60);
  if (!head.startsWith("id: ") || head.includes('"ops":[["r"')) return undefined;
  const mark = frame.indexOf("@");
  return readTimeMarks(frame.toString("latin1", mark, mark + MARK_BYTES))[0];
}
