import { apply, decoder } from "spillway/delta";
import { WebSocket } from "ws";

/** Keeps a copy of the object that is shared at `url`, over any number of connections, until `close`. */
export function openReplica(url, onChange) {
  const replica = { value: undefined, close: () => {} };
  const connect = () => {
    const stream = decoder();
    const socket = new WebSocket(url);
    const fold = (text) => {
      try {
        replica.value = apply(replica.value, stream.decode(JSON.parse(text)));
      } catch {
        // Whatever is wrong, the value stays as it is, and the next connection begins with all of it.
        socket.off("message", fold).terminate();
        return;
      }
      onChange(replica.value);
    };
    const wait = () => {
      const timer = setTimeout(connect, 100 + Math.random() * 100);
      replica.close = () => clearTimeout(timer);
    };
    replica.close = () => socket.off("close", wait).close();
    socket
      .on("message", fold)
      .on("close", wait)
      .on("error", () => socket.terminate());
  };
  connect();
  return replica;
}
