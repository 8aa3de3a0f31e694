import { ExecError } from "../errors.js";
import { MAX_FRAME_BYTES } from "./limits.js";

const HEADER_BYTES = 4;

/** A value as a frame: the number of bytes of its JSON as 32 bits, the highest first, then those bytes. */
export function encodeFrame(value: unknown): Buffer {
  const text = JSON.stringify(value);
  const length = Buffer.byteLength(text);
  if (length > MAX_FRAME_BYTES) {
    throw new ExecError(
      "file_too_large",
      `a message of ${length} bytes is more than the ${MAX_FRAME_BYTES} of a frame`,
    );
  }
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32BE(length, 0);
  frame.write(text, HEADER_BYTES);
  return frame;
}

/** One value, and the bytes that it took. */
export interface ReceivedFrame {
  readonly value: unknown;
  readonly bytes: number;
}

/** Puts frames together from bytes that come in any pieces. Holds at most one frame. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #held = 0;
  /** Content of the frame that is under way; undefined while its header is. */
  #length: number | undefined;
  /** May be raised once more is allowed. */
  maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** The frames that these bytes complete. @throws {ExecError} `link_refused` for what is no frame; nothing more can be read. */
  *push(bytes: Buffer): Iterable<ReceivedFrame> {
    this.#pieces.push(bytes);
    this.#held += bytes.length;
    for (;;) {
      this.#length ??= this.#readHeader();
      if (this.#length === undefined || this.#held < this.#length) return;
      const content = this.#take(this.#length);
      this.#length = undefined;
      yield { value: parse(content), bytes: HEADER_BYTES + content.length };
    }
  }

  #readHeader(): number | undefined {
    if (this.#held < HEADER_BYTES) return undefined;
    const length = this.#take(HEADER_BYTES).readUInt32BE(0);
    if (length <= this.maxBytes) return length;
    throw new ExecError(
      "link_refused",
      `a frame of ${length} bytes is announced, and ${this.maxBytes} are allowed here`,
    );
  }

  #take(count: number): Buffer {
    const [first] = this.#pieces;
    const all = first !== undefined && first.length >= count ? first : Buffer.concat(this.#pieces);
    if (all !== first) this.#pieces = [all];
    const taken = all.subarray(0, count);
    const rest = all.subarray(count);
    if (rest.length > 0) this.#pieces[0] = rest;
    else this.#pieces.shift();
    this.#held -= count;
    return taken;
  }
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch (cause) {
    throw new ExecError("link_refused", `a frame of ${content.length} bytes is no JSON`, { cause });
  }
}
