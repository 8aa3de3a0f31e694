import type { Clock } from "../clock.js";
import { ExecError } from "../errors.js";
import type { ByteChannel } from "../link/channel.js";
import {
  HELLO_MS,
  MAX_CLIENT_SILENCE_MS,
  MAX_FOLLOWED,
  MAX_FRAME_BYTES,
  MAX_HELLO_BYTES,
  MAX_REQUESTS,
  MAX_WAITING_BYTES,
  PREAMBLE,
  PROTOCOL_VERSION,
} from "../link/limits.js";
import { createLink } from "../link/link.js";
import type { Link } from "../link/link.js";
import { encodeError, parseUp } from "../link/messages.js";
import type { DownMessage, UpMessage } from "../link/messages.js";
import type { HostIdentity } from "./host-identity.js";
import type { Owners } from "./owners.js";
import { createRequests } from "./requests.js";
import type { Requests } from "./requests.js";
import { createUpdateWindow } from "./update-window.js";

export interface ConnectionOptions {
  readonly channel: ByteChannel;
  readonly owners: Owners;
  readonly identity: HostIdentity;
  readonly clock: Clock;
  readonly ended: () => void;
}

/** One client, from its hello until the link to it ends. What it started goes on. */
export function createConnection(options: ConnectionOptions): { end(): void } {
  return new Connection(options);
}

class Connection {
  readonly #options: ConnectionOptions;
  readonly #link: Link;
  readonly #requests: Requests;
  readonly #window = createUpdateWindow();
  readonly #helloLimit: { cancel(): void };
  /** Requests without an answer, and what ends each. */
  readonly #work = new Map<number, AbortController>();
  #following = 0;
  #isAccepted = false;

  constructor(options: ConnectionOptions) {
    const { channel, clock } = options;
    this.#options = options;
    this.#requests = createRequests(options.owners);
    channel.writable.write(PREAMBLE);
    this.#link = createLink({
      channel,
      clock,
      expectsPreamble: false,
      maxFrameBytes: MAX_HELLO_BYTES,
      maxSilenceMs: MAX_CLIENT_SILENCE_MS,
      onMessage: (value) => this.#receive(parseUp(value)),
      onDrain: () => this.#link.resume(),
      onEnd: () => this.#leave(),
    });
    this.#helloLimit = clock.after(HELLO_MS, () => this.#refuse(`no hello came within ${HELLO_MS / 1_000} s`));
  }

  end(): void {
    this.#link.end(new ExecError("env_closed", "the exec host has ended"));
  }

  #leave(): void {
    this.#helloLimit.cancel();
    for (const ending of Array.from(this.#work.values())) ending.abort();
    this.#window.close();
    this.#requests.leave();
    this.#options.ended();
  }

  #receive(message: UpMessage): void {
    if (!this.#isAccepted) this.#greet(message);
    else if (message.type === "ping") this.#send({ type: "pong" });
    else if (message.type === "ack") this.#window.acknowledge(message.bytes);
    else if (message.type === "cancel") this.#work.get(message.id)?.abort();
    else if (message.type === "request") this.#take(message);
    else this.#refuse("a second hello came");
  }

  #greet(message: UpMessage): void {
    if (message.type !== "hello") {
      this.#refuse("the first message is not a hello");
    } else if (message.protocol !== PROTOCOL_VERSION) {
      this.#refuse(`this exec host speaks version ${PROTOCOL_VERSION} of the protocol, not ${message.protocol}`);
    } else {
      this.#isAccepted = true;
      this.#helloLimit.cancel();
      this.#link.allow(MAX_FRAME_BYTES);
      this.#send({ type: "hello", protocol: PROTOCOL_VERSION, ...this.#options.identity });
    }
  }

  #take({ id, method, params }: UpMessage & { readonly type: "request" }): void {
    if (this.#work.has(id)) {
      this.#refuse(`the request ${id} is under way already`);
      return;
    }
    const follows = method === "attach";
    const under = follows ? this.#following : this.#work.size - this.#following;
    const most = follows ? MAX_FOLLOWED : MAX_REQUESTS;
    if (under >= most) {
      this.#fail(
        id,
        new ExecError("invalid_argument", `${most} requests of this link are under way; wait for answers`),
      );
      return;
    }
    const ending = new AbortController();
    this.#work.set(id, ending);
    if (follows) this.#following += 1;
    void this.#answer(id, method, params, ending.signal, () => {
      this.#work.delete(id);
      if (follows) this.#following -= 1;
    });
  }

  /** Never rejects. */
  async #answer(id: number, method: string, params: unknown, signal: AbortSignal, done: () => void): Promise<void> {
    const channel = {
      signal,
      tell: (update: unknown) => this.#window.offer(() => this.#send({ type: "update", id, update })),
      room: () => this.#window.room(),
    };
    try {
      const value = await this.#requests.handle(method, params, channel);
      done();
      this.#send(value === undefined ? { type: "value", id } : { type: "value", id, value });
    } catch (error) {
      done();
      this.#fail(id, error);
    }
  }

  #fail(id: number, error: unknown): void {
    this.#send({ type: "error", id, error: encodeError(error) });
  }

  #send(message: DownMessage): void {
    this.#window.sent(this.#sendFrame(message));
    if (this.#link.waitingBytes > MAX_WAITING_BYTES) this.#link.pause();
  }

  #sendFrame(message: DownMessage): number {
    try {
      return this.#link.send(message);
    } catch (error) {
      if (message.type !== "value") throw error;
      return this.#link.send({ type: "error", id: message.id, error: encodeError(error) } satisfies DownMessage);
    }
  }

  #refuse(message: string): void {
    this.#link.send({ type: "refused", message } satisfies DownMessage);
    this.#link.end(new ExecError("link_refused", message));
  }
}
