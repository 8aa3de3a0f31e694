/** What stands in the place of a secret. */
export const SECRET_MARK = "[secret]";

interface Secret {
  readonly bytes: Buffer;
  /** As many newlines as the secret has follow the mark, so that lines keep their numbers. */
  readonly mark: Buffer;
}

/**
 * Replaces secrets in one pipe's bytes, also where they are split over reads: an end that could be the beginning of a secret
 * is held back until more is known. Of secrets that overlap, the one that begins first is masked; of two that begin together,
 * the longer.
 */
export class SecretMask {
  /** Longest first. */
  readonly #secrets: readonly Secret[];
  readonly #longest: number;
  #held: Buffer = NOTHING;

  constructor(secrets: readonly string[]) {
    this.#secrets = [...new Set(secrets)]
      .filter((secret) => secret !== "")
      .map((secret) => ({ bytes: Buffer.from(secret), mark: Buffer.from(SECRET_MARK + secret.replace(/[^\n]/g, "")) }))
      .sort((a, b) => b.bytes.length - a.bytes.length);
    this.#longest = this.#secrets[0]?.bytes.length ?? 0;
  }

  /** Gives what is free of secrets; the same bytes where there is nothing to do. */
  filter(bytes: Uint8Array): Uint8Array {
    if (this.#secrets.length === 0) return bytes;
    const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return this.#mask(this.#held.length === 0 ? input : Buffer.concat([this.#held, input]), false);
  }

  /** The end of the stream: what was held is the beginning of no secret. */
  finish(): Uint8Array {
    return this.#mask(this.#held, true);
  }

  /** Bytes that are held back: they are the beginning of a secret so far. */
  get held(): Uint8Array {
    return this.#held;
  }

  /** Forgets what is held from there on, as if it had never come. */
  dropHeld(from: number): void {
    this.#held = Buffer.from(this.#held.subarray(0, from));
  }

  #mask(input: Buffer, isLast: boolean): Buffer {
    const parts: Buffer[] = [];
    let from = 0;
    for (;;) {
      const find = this.#findFirst(input, from);
      const held = isLast ? input.length : this.#findBeginning(input, from);
      if (find === undefined || held <= find.at) {
        this.#held = Buffer.from(input.subarray(held));
        const rest = input.subarray(from, held);
        return parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
      }
      parts.push(input.subarray(from, find.at), find.secret.mark);
      from = find.at + find.secret.bytes.length;
    }
  }

  #findFirst(input: Buffer, from: number): { readonly at: number; readonly secret: Secret } | undefined {
    let first: { at: number; secret: Secret } | undefined;
    for (const secret of this.#secrets) {
      const at = input
        .subarray(0, first === undefined ? undefined : first.at + secret.bytes.length - 1)
        .indexOf(secret.bytes, from);
      if (at !== -1 && (first === undefined || at < first.at)) first = { at, secret };
    }
    return first;
  }

  /** Where the first end of the input begins that could become a secret; the length of the input if none could. */
  #findBeginning(input: Buffer, from: number): number {
    for (let at = Math.max(from, input.length - this.#longest + 1); at < input.length; at += 1) {
      if (this.#secrets.some(({ bytes }) => beginsWith(bytes, input, at))) return at;
    }
    return input.length;
  }
}

const NOTHING = Buffer.alloc(0);

/** Whether a secret is longer than what is left of the input from `at`, and begins with it. */
function beginsWith(secret: Buffer, input: Buffer, at: number): boolean {
  const length = input.length - at;
  return secret.length > length && secret[0] === input[at] && secret.compare(input, at, input.length, 0, length) === 0;
}
