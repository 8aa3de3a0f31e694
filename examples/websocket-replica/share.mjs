import { encoder, track } from "spillway/delta";

/** Shows a plain object to all who connect to a WebSocket server. Mutate `state` as any object, then `flush`. */
export function shareState(initial, server, maxWaitingBytes = 1_000_000) {
  const tracker = track(initial);
  const stream = encoder();
  const replicas = new Set();
  const flush = () => {
    const batch = tracker.flush();
    if (batch.length === 0) return;
    const text = JSON.stringify(stream.encode(batch));
    for (const socket of replicas) {
      socket.send(text);
      // Who does not read is cut off, and begins with the whole value when it comes again.
      if (socket.bufferedAmount > maxWaitingBytes) socket.terminate();
    }
  };
  server.on("connection", (socket) => {
    flush();
    // The newcomer knows no path by its id: from here on the shared stream names them anew.
    stream.forget();
    socket.send(JSON.stringify([["r", tracker.snapshot()]]));
    replicas.add(socket);
    socket.on("close", () => replicas.delete(socket)).on("error", () => socket.terminate());
  });
  return { state: tracker.state, flush };
}
