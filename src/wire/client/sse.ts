import { ConnectionError } from "./errors.js";

declare const TextDecoder: new (
  label: string,
  options: { readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** Bytes of one event, beyond which a stream is not read on: a base is at most 1 MiB. */
export const MAX_FRAME_BYTES = 2 * 1_048_576;

/** One server-sent event. */
export interface ServerSentEvent {
  /** `message` where the stream names none. */
  readonly type: string;
  readonly data: string;
}

export interface SseParser {
  /** The events that are complete with this piece. Throws `frame_too_large`. */
  push(piece: Uint8Array): ServerSentEvent[];
}

const LF = 0x0a;
const CR = 0x0d;

/** Reads a stream of server-sent events that is cut into pieces anywhere. A line ends at the byte 0x0A and nowhere else. */
export function createSseParser(maxFrameBytes = MAX_FRAME_BYTES): SseParser {
  return new LineParser(maxFrameBytes);
}

class LineParser implements SseParser {
  readonly #maxFrameBytes: number;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The line that is not complete yet. */
  #pieces: Uint8Array[] = [];
  #frameBytes = 0;
  #type = "";
  #data: string[] = [];

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  push(piece: Uint8Array): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    let start = 0;
    for (let end = piece.indexOf(LF); end !== -1; end = piece.indexOf(LF, start)) {
      this.#keep(piece.subarray(start, end));
      const event = this.#takeLine(this.#lineText());
      if (event !== undefined) events.push(event);
      start = end + 1;
    }
    // A copy: the piece may be a view of a buffer that its owner uses again.
    if (start < piece.length) this.#keep(piece.slice(start));
    return events;
  }

  #keep(piece: Uint8Array): void {
    this.#frameBytes += piece.length;
    if (this.#frameBytes > this.#maxFrameBytes) {
      throw new ConnectionError(
        "frame_too_large",
        `one event of the stream has more than ${this.#maxFrameBytes} bytes; the connection is given up`,
      );
    }
    this.#pieces.push(piece);
  }

  #lineText(): string {
    const line = this.#pieces.length === 1 ? this.#pieces[0] : concatenate(this.#pieces);
    this.#pieces = [];
    if (line === undefined) return "";
    return this.#decoder.decode(line.at(-1) === CR ? line.subarray(0, -1) : line);
  }

  #takeLine(line: string): ServerSentEvent | undefined {
    if (line === "") return this.#takeEvent();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const rest = colon === -1 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (field === "event") this.#type = value;
    if (field === "data") this.#data.push(value);
    return undefined;
  }

  #takeEvent(): ServerSentEvent | undefined {
    const event = { type: this.#type === "" ? "message" : this.#type, data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#type = "";
    this.#data = [];
    this.#frameBytes = 0;
    return isEmpty ? undefined : event;
  }
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
