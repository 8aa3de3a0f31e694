import type { Clock } from "../clock.js";
import { ExecError } from "../errors.js";
import type { ByteChannel } from "./channel.js";
import { encodeFrame, FrameReader } from "./frames.js";
import { PreambleSearch } from "./preamble.js";

/** Messages over a channel, until either end lets go of it. */
export interface Link {
  /** Gives the bytes of the frame. Nothing is sent once the link has ended. @throws {ExecError} where it is too large. */
  send(message: unknown): number;
  /** Bytes that the channel did not take yet. */
  readonly waitingBytes: number;
  /** Most bytes of a frame that is received. */
  allow(maxFrameBytes: number): void;
  /** The link ends when nothing came for so long. */
  silenceAfter(ms: number): void;
  /** Nothing more is read until it is resumed. */
  pause(): void;
  resume(): void;
  /** Ends the link; what was sent goes out before, where the other end takes it at once. */
  end(reason: ExecError): void;
}

export interface LinkOptions {
  readonly channel: ByteChannel;
  readonly clock: Clock;
  /** Whether the other end says a preamble first. */
  readonly expectsPreamble: boolean;
  readonly maxFrameBytes: number;
  /** The link ends when nothing came for so long. */
  readonly maxSilenceMs: number;
  /** What it throws ends the link. */
  readonly onMessage: (value: unknown, bytes: number) => void;
  /** The channel took what waited. */
  readonly onDrain: () => void;
  /** Called once. */
  readonly onEnd: (reason: ExecError) => void;
}

export function createLink(options: LinkOptions): Link {
  const { channel, clock } = options;
  const { readable, writable } = channel;
  const reader = new FrameReader(options.maxFrameBytes);
  let search = options.expectsPreamble ? new PreambleSearch() : undefined;
  let ended = false;
  let paused = false;
  let heardAt = clock.monotonic();
  let { maxSilenceMs } = options;
  let silence = clock.after(maxSilenceMs, watchSilence);

  function end(reason: ExecError): void {
    if (ended) return;
    ended = true;
    silence.cancel();
    channel.close();
    options.onEnd(reason);
  }

  function receive(bytes: Buffer): void {
    if (ended) return;
    heardAt = clock.monotonic();
    let rest: Buffer | undefined = bytes;
    if (search !== undefined) rest = search.push(bytes);
    if (rest === undefined) return;
    search = undefined;
    for (const frame of reader.push(rest)) {
      if (ended) return;
      options.onMessage(frame.value, frame.bytes);
    }
  }

  function watchSilence(): void {
    const quietMs = clock.monotonic() - heardAt;
    if (quietMs >= maxSilenceMs) end(lost(`nothing came over the link for ${Math.round(quietMs / 1_000)} s`));
    else silence = clock.after(maxSilenceMs - quietMs, watchSilence);
  }

  listen(channel, receive, options.onDrain, end, () =>
    search === undefined ? "" : `, and it had said ${search.heard}`,
  );
  return {
    send(message) {
      const frame = encodeFrame(message);
      if (!ended && writable.writable) writable.write(frame);
      return frame.length;
    },
    get waitingBytes() {
      return writable.writableLength;
    },
    allow(maxFrameBytes) {
      reader.maxBytes = maxFrameBytes;
    },
    silenceAfter(ms) {
      maxSilenceMs = ms;
      silence.cancel();
      silence = clock.after(ms, watchSilence);
    },
    pause() {
      paused = true;
      readable.pause();
    },
    resume() {
      if (!paused) return;
      paused = false;
      heardAt = clock.monotonic();
      readable.resume();
    },
    end,
  };
}

/** Hands over what comes, and tells once how it ended; `heard` is what came before a host spoke. */
function listen(
  { readable, writable, remarks }: ByteChannel,
  receive: (bytes: Buffer) => void,
  onDrain: () => void,
  end: (reason: ExecError) => void,
  heard: () => string,
): void {
  const gone = (how: string) => () => {
    const said = remarks?.().trim() ?? "";
    end(lost(`${how}${heard()}${said === "" ? "" : `: ${said}`}`));
  };
  readable.on("data", (bytes: Buffer) => {
    try {
      receive(bytes);
    } catch (error) {
      end(error instanceof ExecError ? error : lost(`a message could not be taken: ${String(error)}`));
    }
  });
  readable.once("end", gone("the other end closed the link"));
  readable.once("close", gone("the link was closed"));
  writable.once("close", gone("the link was closed"));
  for (const stream of [readable, writable]) {
    stream.on("error", (error: Error) => end(lost(`the link failed: ${error.message}`)));
  }
  writable.on("drain", onDrain);
}

function lost(message: string): ExecError {
  return new ExecError("link_lost", message);
}
