import { apply, decoder } from "spillway/delta";
import { WebSocket } from "ws";

/** Keeps a copy of the object that is shared at `url`, over any number of connections, until `close`. */
export function openReplica(url, onChange) {
  const replica = { value: undefined, close: () => {} };
  const connect = () => {
    const stream = decoder();
    const socket = new WebSocket(url);
    socket.on("message", (text) => {
      try {
        replica.value = apply(replica.value, stream.decode(JSON.parse(text)));
        onChange(replica.value);
      } catch {
        // Whatever is wrong, the next connection begins with the whole value.
        socket.terminate();
      }
    });
    socket.on("error", () => socket.terminate());
    const again = () => setTimeout(connect, 100 + Math.random() * 100);
    socket.on("close", again);
    replica.close = () => socket.off("close", again).close();
  };
  connect();
  return replica;
}
