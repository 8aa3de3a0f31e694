/** What stands in the place of a secret. */
export const SECRET_MARK = "[secret]";
const mark = Buffer.from(SECRET_MARK);

/**
 * Replaces secrets in one pipe's bytes, also where they are split over reads: an end that could be the beginning of a secret is
 * held back until more is known.
 */
export class SecretMask {
  /** Longest first, so that of two that begin alike the whole one is masked. */
  readonly #secrets: readonly Buffer[];
  #held: Buffer = Buffer.alloc(0);

  constructor(secrets: readonly string[]) {
    this.#secrets = [...new Set(secrets)]
      .filter((secret) => secret !== "")
      .map((secret) => Buffer.from(secret))
      .sort((a, b) => b.length - a.length);
  }

  /** Gives what is free of secrets; may be the same bytes. */
  filter(bytes: Uint8Array): Uint8Array {
    if (this.#secrets.length === 0) return bytes;
    const input =
      this.#held.length === 0
        ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : Buffer.concat([this.#held, bytes]);
    const { parts, rest } = this.#mask(input);
    const held = this.#heldLength(rest);
    this.#held = Buffer.from(rest.subarray(rest.length - held));
    const free = rest.subarray(0, rest.length - held);
    return parts.length === 0 ? free : Buffer.concat([...parts, free]);
  }

  /** The end of the stream: what was held is no secret. */
  finish(): Uint8Array {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }

  #mask(input: Buffer): { readonly parts: Buffer[]; readonly rest: Buffer } {
    const parts: Buffer[] = [];
    let from = 0;
    for (;;) {
      const find = this.#findFirst(input, from);
      if (find === undefined) return { parts, rest: input.subarray(from) };
      parts.push(input.subarray(from, find.at), mark);
      from = find.at + find.length;
    }
  }

  #findFirst(input: Buffer, from: number): { readonly at: number; readonly length: number } | undefined {
    let first: { at: number; length: number } | undefined;
    for (const secret of this.#secrets) {
      const at = input.indexOf(secret, from);
      if (at !== -1 && (first === undefined || at < first.at)) first = { at, length: secret.length };
    }
    return first;
  }

  /** How many bytes at the end could be the beginning of a secret. */
  #heldLength(bytes: Buffer): number {
    let held = 0;
    for (const secret of this.#secrets) {
      for (let length = Math.min(secret.length - 1, bytes.length); length > held; length -= 1) {
        if (bytes.subarray(bytes.length - length).equals(secret.subarray(0, length))) held = length;
      }
    }
    return held;
  }
}
