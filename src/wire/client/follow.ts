import { createConsumer } from "./consumer.js";
import type { Consumer } from "./consumer.js";
import { ConnectionError } from "./errors.js";
import { readStream } from "./stream.js";
import type { Connection, StreamOptions, StreamReading } from "./stream.js";
import { systemTimer } from "./timer.js";
import type { Timer } from "./timer.js";

export interface FollowOptions extends StreamOptions {
  /** Opens a connection. Called again, after a pause, whenever one does not go on. */
  readonly connect: () => Connection;
  /** Gives numbers from 0 up to 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Called when the state changes, with the reason where there is one. */
  readonly onState?: ((state: FollowState, why?: ConnectionError) => void) | undefined;
}

/** `following`: the value is as new as the connection. `waiting`: the last value is shown, a new connection is due. */
export type FollowState = "connecting" | "following" | "waiting" | "ended";

export type FollowEnd =
  | { readonly reason: "end" }
  | { readonly reason: "stopped" }
  | { readonly reason: "refused"; readonly error: ConnectionError };

/** A value that is kept like the host's over any number of connections. */
export interface Following<T> {
  readonly consumer: Consumer<T>;
  readonly state: FollowState;
  /** Resolves when following is over for good, and says why. Never rejects. */
  readonly ended: Promise<FollowEnd>;
  stop(): void;
}

/** Pause before the second try to connect; it doubles with each further one. */
export const MIN_PAUSE_MS = 200;
export const MAX_PAUSE_MS = 5_000;
/** A connection that lasted this long was a good one: the pauses start over. */
const PROVEN_MS = 10_000;

/** Follows a facet's stream until its end: connects, folds, and connects again after a cut, a silence or a doubt. */
export function follow<T>(options: FollowOptions): Following<T> {
  return new Follower<T>(options);
}

class Follower<T> implements Following<T> {
  readonly consumer: Consumer<T> = createConsumer<T>();
  readonly ended: Promise<FollowEnd>;
  readonly #options: FollowOptions;
  readonly #timer: Timer;
  #state: FollowState = "waiting";
  #failures = 0;
  #stopped = false;
  #reading: StreamReading | undefined;
  #endPause: () => void = () => {};

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
    this.consumer.onChange(() => this.#enter("following"));
    this.ended = this.#run().then((end) => {
      this.#enter("ended", end.reason === "refused" ? end.error : undefined);
      return end;
    });
  }

  get state(): FollowState {
    return this.#state;
  }

  stop(): void {
    this.#stopped = true;
    this.#reading?.abandon(new ConnectionError("cut", "following was stopped"));
    this.#endPause();
  }

  async #run(): Promise<FollowEnd> {
    while (!this.#stopped) {
      this.#enter("connecting");
      const failure = await this.#readOnce();
      if (failure === undefined) return { reason: "end" };
      if (this.#stopped) break;
      if (!failure.retryable) return { reason: "refused", error: failure };
      this.#enter("waiting", failure);
      await this.#pause();
    }
    return { reason: "stopped" };
  }

  /** Reads one connection; gives why it did not go on, or undefined at the end of the stream. */
  async #readOnce(): Promise<ConnectionError | undefined> {
    this.consumer.restart();
    const proof = this.#timer(PROVEN_MS, () => (this.#failures = 0));
    try {
      this.#reading = readStream(this.#options.connect(), this.consumer, this.#options);
      await this.#reading.ended;
      return undefined;
    } catch (error) {
      if (error instanceof ConnectionError) return error;
      return new ConnectionError("unreachable", `no connection: ${String(error)}`, { cause: error });
    } finally {
      this.#reading = undefined;
      proof.cancel();
    }
  }

  // Half of the pause is left to chance, so that many who were cut off together do not come back together.
  async #pause(): Promise<void> {
    const random = this.#options.random ?? Math.random;
    const longest = Math.min(MIN_PAUSE_MS * 2 ** this.#failures, MAX_PAUSE_MS);
    this.#failures += 1;
    await new Promise<void>((resolve) => {
      const timer = this.#timer((longest / 2) * (1 + random()), resolve);
      this.#endPause = () => {
        timer.cancel();
        resolve();
      };
    });
    this.#endPause = () => {};
  }

  #enter(state: FollowState, why?: ConnectionError): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onState?.(state, why);
  }
}
