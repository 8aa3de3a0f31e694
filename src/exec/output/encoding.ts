import { Utf8Decoder } from "./utf8-decoder.js";

/** How bytes became text, where there is something to tell of it. */
export interface DecodingReport {
  /** By the name that the Encoding Standard has for it. */
  readonly encoding: string;
  /** Whether bytes that are none of it are U+FFFD in the text. What went by before anybody saw it was not looked at. */
  readonly replaced: boolean;
  /** The label that was asked for, where no decoder goes by it and UTF-8 was taken. */
  readonly unknownLabel?: string;
}

/** Makes text of bytes that come in pieces. */
export interface ByteDecoder {
  /** Whether any byte has become U+FFFD. */
  readonly hasReplaced: boolean;
  /** Whether it is known that no character is unfinished. */
  readonly isAtRest: boolean;
  decode(bytes: Uint8Array): string;
  /** Nothing follows: an unfinished character becomes one mark. */
  finish(): string;
  /** Forgets an unfinished character. */
  reset(): void;
}

export interface Encoding {
  readonly name: string;
  readonly unknownLabel?: string;
}

const UTF_8 = "utf-8";
const MAX_TOLD_LABEL = 64;
/** In these a byte 0x0A is not always a newline, or what a byte means depends on much that came before. */
const NOT_LINE_BY_LINE: ReadonlySet<string> = new Set(["utf-16le", "utf-16be", "iso-2022-jp", "replacement"]);

/** The encoding of a label of the Encoding Standard; UTF-8 where it has none that can be read line by line. */
export function findEncoding(label: string = UTF_8): Encoding {
  try {
    const { encoding } = new TextDecoder(label);
    if (!NOT_LINE_BY_LINE.has(encoding)) return { name: encoding };
  } catch {
    // No label of any encoding.
  }
  return { name: UTF_8, unknownLabel: label.slice(0, MAX_TOLD_LABEL) };
}

/** Whether a command's output can be read in the encoding of this label; where it cannot, UTF-8 is taken. */
export function isKnownEncoding(label: string): boolean {
  return findEncoding(label).unknownLabel === undefined;
}

export function isUtf8Encoding({ name }: Encoding): boolean {
  return name === UTF_8;
}

export function createDecoder(encoding: Encoding): ByteDecoder {
  return isUtf8Encoding(encoding) ? new Utf8Decoder() : new LegacyDecoder(encoding.name);
}

class LegacyDecoder implements ByteDecoder {
  readonly isAtRest = false;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  #hasReplaced = false;

  constructor(name: string) {
    this.#decoder = new TextDecoder(name);
  }

  get hasReplaced(): boolean {
    return this.#hasReplaced;
  }

  decode(bytes: Uint8Array): string {
    return this.#note(this.#decoder.decode(bytes, { stream: true }));
  }

  finish(): string {
    return this.#note(this.#decoder.decode());
  }

  reset(): void {
    this.#decoder.decode();
  }

  #note(text: string): string {
    this.#hasReplaced ||= text.includes("\uFFFD");
    return text;
  }
}
