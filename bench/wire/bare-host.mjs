// A process that writes the same bytes to as many sockets, and does nothing else: what no server on Node can go below.
import { createServer } from "node:net";
import { answerParent, childInput } from "../lib/children.mjs";
import { timeMark } from "../lib/monotonic.mjs";
import { playAtPace, waitUntil } from "./pace.mjs";
import { createPlayedLane } from "./played-lane.mjs";

/** @type {import("./host.mjs").HostInput} */
const { socketPath, batchBytes, subscribers, pace } = childInput();
const { head, frames, end, value } = recordStream(batchBytes, pace.warmUpBatches + pace.batches);

/** @type {Set<import("node:net").Socket>} */
const sockets = new Set();
const server = createServer((socket) => {
  socket.once("data", () => {
    socket.write(head);
    sockets.add(socket);
  });
  socket.on("error", () => sockets.delete(socket));
});
await new Promise((resolve) => server.listen(socketPath, () => resolve(undefined)));
const idleRss = process.memoryUsage.rss();
await waitUntil(() => sockets.size === subscribers, "the subscribers");

const costs = await playAtPace(pace, () => {
  const frame = frames.shift() ?? Buffer.alloc(0);
  frame.write(timeMark(), frame.indexOf("@"), "latin1");
  for (const socket of sockets) socket.write(frame);
});
for (const socket of sockets) socket.end(end);
server.close();
answerParent({ ...costs, idleRss, value });

/**
 * What a subscriber of the real host is sent.
 *
 * @param {number} batchBytes
 * @param {number} batches
 */
function recordStream(batchBytes, batches) {
  const lane = createPlayedLane(batchBytes, batches);
  /** @type {Buffer[]} */
  const frames = [];
  lane.chat.subscribe({
    receive: ({ message, json }) => frames.push(Buffer.from(`id: ${message.seq}\ndata: ${json}\n\n`)),
    end: () => undefined,
  });
  for (let number = 0; number < batches; number += 1) lane.play();
  const open = 'event: open\ndata: {"protocol":1,"facet":"chat"}\n\n';
  const http = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
  const head = Buffer.concat([Buffer.from(http + open), frames.shift() ?? Buffer.alloc(0)]);
  return { head, frames, end: "event: end\ndata: {}\n\n", value: lane.chat.snapshot() };
}
