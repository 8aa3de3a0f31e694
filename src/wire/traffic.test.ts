import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate as tick } from "node:timers/promises";
import { expect, test } from "vitest";
import { openStalled } from "./fixtures/raw-http.js";
import { chatPath, lanePath, serveLane, tokens } from "./fixtures/served-lane.js";
import { MIN_PENDING_BYTES } from "./event-stream.js";

const CHUNKS = 2_000;
const CHUNK_BYTES = 64;
/** What a message has around its JSON. */
const FRAME_BYTES = 20;

test.each<[facet: string, host: "full" | "chat", path: string]>([
  ["lane", "full", lanePath],
  ["chat", "chat", chatPath],
])(
  "[W2] O32: text in small chunks costs a quick and a slow viewer of %s at most three times its bytes, and is not kept",
  async (_facet, host, path) => {
    await using stage = await serveLane();
    const { source, server } = stage;
    source.play(source.lane.startOperation());
    const { id, group } = source.lane.startTool();
    source.play(group);
    const quick = countBytes(await openStalled(stage.port, path, tokens.view));
    const slow = countBytes(await openStalled(stage.port, path, tokens.view));
    while (server.counters.open < 2) await tick();
    quick.socket.resume();

    let maxPendingBytes = 0;
    for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
      source.play(source.lane.slide(id, chunk < 800 ? 0 : CHUNK_BYTES, `${String(chunk).padStart(CHUNK_BYTES - 1)}\n`));
      maxPendingBytes = Math.max(maxPendingBytes, server.counters.pendingBytes);
      if (chunk % 250 === 249) await readOnce(slow.socket);
      await tick();
    }
    source.finish();
    slow.socket.resume();
    await Promise.all([once(slow.socket, "close"), once(quick.socket, "close")]);

    const sentBytes = CHUNKS * CHUNK_BYTES;
    expect(quick.bytes()).toBeGreaterThan(sentBytes);
    expect(quick.bytes()).toBeLessThanOrEqual(3 * sentBytes);
    expect(slow.bytes()).toBeLessThanOrEqual(3 * sentBytes);
    const base = JSON.stringify({ seq: CHUNKS, ops: [["r", source[host].snapshot()]] });
    expect(maxPendingBytes).toBeLessThanOrEqual(Math.max(MIN_PENDING_BYTES, base.length + FRAME_BYTES));
  },
);

function countBytes(socket: Socket): { readonly socket: Socket; readonly bytes: () => number } {
  let bytes = 0;
  socket.on("data", (piece) => (bytes += piece.length));
  // Listening for data makes a socket flow.
  socket.pause();
  return { socket, bytes: () => bytes };
}

async function readOnce(socket: Socket): Promise<void> {
  socket.resume();
  await once(socket, "data");
  socket.pause();
}
