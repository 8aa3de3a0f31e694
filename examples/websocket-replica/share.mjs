import { encoder, track } from "spillway/delta";

/** Shows a plain object to all who connect to a WebSocket server. Mutate `state` as any object, then `flush`. */
export function shareState(initial, server) {
  const tracker = track(initial);
  const stream = encoder();
  const replicas = new Set();
  const flush = () => {
    const batch = tracker.flush();
    if (batch.length === 0) return;
    const text = JSON.stringify(stream.encode(batch));
    for (const socket of replicas) socket.send(text);
  };
  server.on("connection", (socket) => {
    flush();
    // The newcomer knows no path by its id: from here on the shared stream names them anew.
    stream.forget();
    socket.send(JSON.stringify([["r", tracker.snapshot()]]));
    replicas.add(socket);
    socket.on("close", () => replicas.delete(socket));
  });
  return { state: tracker.state, flush };
}
