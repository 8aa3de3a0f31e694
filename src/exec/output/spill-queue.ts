const FIRST_BLOCK_BYTES = 4_096;
const BLOCK_BYTES = 262_144;
/** Blocks that are kept for what comes next: all that a full queue has, for what is dropped piles up until it is collected. */
const MAX_SPARE_BLOCKS = 6;

/** Bytes that wait to be written, copied into few large blocks, which are used again and again. */
export class SpillQueue {
  #blocks: { readonly buffer: Buffer; length: number }[] = [];
  #spare: Buffer[] = [];
  #bytes = 0;
  /** Blocks double in size, so that little output takes little memory. */
  #nextBlockBytes = FIRST_BLOCK_BYTES;

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a copy. */
  add(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      const block = this.#blockWithRoom(bytes.length - from);
      const piece = bytes.subarray(from, from + block.buffer.length - block.length);
      block.buffer.set(piece, block.length);
      block.length += piece.length;
      from += piece.length;
    }
    this.#bytes += bytes.length;
  }

  /** Takes the first bytes out, to be given back by {@link release}; `undefined` when there are none. */
  take(): Buffer | undefined {
    const block = this.#blocks.shift();
    if (block === undefined) return undefined;
    this.#bytes -= block.length;
    return block.buffer.subarray(0, block.length);
  }

  /** Gives a taken block back once its bytes are of no use. */
  release(bytes: Buffer): void {
    const isLarge = bytes.buffer.byteLength === BLOCK_BYTES;
    if (isLarge && this.#spare.length < MAX_SPARE_BLOCKS) this.#spare.push(Buffer.from(bytes.buffer));
  }

  clear(): void {
    this.#blocks = [];
    this.#spare = [];
    this.#bytes = 0;
  }

  #blockWithRoom(wanted: number): { readonly buffer: Buffer; length: number } {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.length < last.buffer.length) return last;
    const size = Math.min(BLOCK_BYTES, Math.max(this.#nextBlockBytes, wanted));
    this.#nextBlockBytes = Math.min(BLOCK_BYTES, size * 2);
    const block = { buffer: this.#spare.pop() ?? Buffer.allocUnsafeSlow(size), length: 0 };
    this.#blocks.push(block);
    return block;
  }
}
