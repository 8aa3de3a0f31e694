import type { OutputLimits } from "../contract.js";

/** Lines that are collected until one does not fit within the caps; from then on none is taken. */
export class ShownLines {
  readonly #limits: Pick<OutputLimits, "maxBytes" | "maxLines">;
  readonly #lines: string[] = [];
  #bytes = 0;
  #isFull = false;

  constructor(limits: Pick<OutputLimits, "maxBytes" | "maxLines">) {
    this.#limits = limits;
  }

  /** Whether a line was left out. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get count(): number {
    return this.#lines.length;
  }

  get text(): string {
    return this.#lines.join("");
  }

  /** Room for a line, its newline included. */
  get roomBytes(): number {
    return this.#limits.maxBytes - this.#bytes;
  }

  /** Takes lines, each with its newline, all or none of them. */
  add(...lines: readonly string[]): boolean {
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    this.#isFull ||= bytes > this.roomBytes || this.count + lines.length > this.#limits.maxLines;
    if (this.#isFull) return false;
    this.#lines.push(...lines);
    this.#bytes += bytes;
    return true;
  }

  /** Takes the part of a line for which there is room; nothing follows it. */
  force(part: string): void {
    this.#lines.push(part);
    this.#bytes += Buffer.byteLength(part);
    this.#isFull = true;
  }
}
