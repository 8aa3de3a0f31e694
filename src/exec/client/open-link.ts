import type { Clock } from "../clock.js";
import { ExecError } from "../errors.js";
import type { HostIdentity } from "../host/host-identity.js";
import type { ByteChannel } from "../link/channel.js";
import { ACK_BYTES, HELLO_MS, MAX_FRAME_BYTES, MAX_SILENCE_MS, PING_MS, PROTOCOL_VERSION } from "../link/limits.js";
import { record, string } from "../link/checks.js";
import { createLink } from "../link/link.js";
import { decodeError, parseDown } from "../link/messages.js";
import type { DownMessage, UpMessage } from "../link/messages.js";

/** A link to a host that has accepted this client. */
export interface OpenLink {
  readonly identity: HostIdentity;
  /** The working folder that the host has for this client. */
  readonly cwd: string;
  send(message: UpMessage): void;
  end(reason: ExecError): void;
}

export interface OpenLinkOptions {
  readonly channel: ByteChannel;
  readonly clock: Clock;
  /** The parameters of the request that comes before all others. */
  readonly opening: unknown;
  readonly onUpdate: (id: number, update: unknown) => void;
  readonly onValue: (id: number, value: unknown) => void;
  readonly onError: (id: number, error: ExecError) => void;
  /** Called once, if it was open. */
  readonly onEnd: (reason: ExecError) => void;
}

const openAnswer = record({ cwd: string });

/** No request of a client has this id. */
const OPENING_ID = 0;

/** Says hello, opens, and keeps the link alive. @throws {ExecError} `link_lost`, `link_refused`, or why it cannot be opened. */
export function openLink(options: OpenLinkOptions): Promise<OpenLink> {
  const { channel, clock, opening } = options;
  return new Promise((resolve, reject) => {
    let identity: HostIdentity | undefined;
    let isOpen = false;
    let receivedBytes = 0;
    let acknowledgedBytes = 0;
    const link = createLink({
      channel,
      clock,
      expectsPreamble: true,
      maxFrameBytes: MAX_FRAME_BYTES,
      maxSilenceMs: HELLO_MS,
      onMessage(value, bytes) {
        receive(parseDown(value));
        receivedBytes += bytes;
        if (receivedBytes - acknowledgedBytes < ACK_BYTES) return;
        acknowledgedBytes = receivedBytes;
        send({ type: "ack", bytes: receivedBytes });
      },
      onDrain: () => undefined,
      onEnd(reason) {
        pinging.cancel();
        if (isOpen) options.onEnd(reason);
        else reject(reason);
      },
    });
    let pinging = clock.after(PING_MS, ping);

    function ping(): void {
      send({ type: "ping" });
      pinging = clock.after(PING_MS, ping);
    }

    function send(message: UpMessage): void {
      link.send(message);
    }

    function receive(message: DownMessage): void {
      if (message.type === "refused") {
        link.end(new ExecError("link_refused", `the exec host refused this client: ${message.message.slice(0, 500)}`));
      } else if (message.type === "hello") {
        if (identity !== undefined) throw new ExecError("link_refused", "the exec host said hello twice");
        identity = { hostId: message.hostId, bootId: message.bootId };
        send({ type: "request", id: OPENING_ID, method: "open", params: opening });
      } else if (message.type === "update") options.onUpdate(message.id, message.update);
      else if (message.type === "value" && message.id === OPENING_ID) opened(message.value);
      else if (message.type === "error" && message.id === OPENING_ID) link.end(decodeError(message.error));
      else if (message.type === "value") options.onValue(message.id, message.value);
      else if (message.type === "error") options.onError(message.id, decodeError(message.error));
    }

    function opened(value: unknown): void {
      if (identity === undefined || isOpen) throw new ExecError("link_refused", "the exec host answered out of turn");
      const { cwd } = openAnswer(value, "the answer");
      isOpen = true;
      link.silenceAfter(MAX_SILENCE_MS);
      resolve({ identity, cwd, send, end: (reason) => link.end(reason) });
    }

    send({ type: "hello", protocol: PROTOCOL_VERSION });
  });
}
