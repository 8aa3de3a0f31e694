import type { ReadListOptions, Sequence, StoredKey } from "./contract.js";
import { ElementList } from "./element-list.js";
import type { ElementPage } from "./element-list.js";
import type { StoredText, Write } from "./writes.js";

/** What one life of a scope holds, and where: the fold of its writes. */
export class ScopeIndex<T extends StoredText> {
  readonly #values = new Map<string, { readonly text: T; readonly sequence: Sequence }>();
  readonly #lists = new Map<string, ElementList<T>>();
  #bytes = 0;
  #count = 0;
  #lastLoss: Sequence = 0;

  /** Bytes of the keys and texts that are alive. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Values and elements that are alive. */
  get count(): number {
    return this.#count;
  }

  /** The last commit by which something died; 0 where nothing has. What was before it cannot be told from what lives. */
  get lastLoss(): Sequence {
    return this.#lastLoss;
  }

  apply(write: Write<T>, sequence: Sequence): void {
    switch (write.kind) {
      case "set":
        this.#deleteValue(write.key, sequence);
        this.#values.set(write.key, { text: write.text, sequence });
        this.#count += 1;
        this.#bytes += write.key.length + write.text.bytes;
        return;
      case "delete":
        this.#deleteValue(write.key, sequence);
        return;
      case "append": {
        if (write.options.supersedes === true) this.#clear(write.key, sequence);
        const list = this.#lists.get(write.key) ?? new ElementList<T>();
        this.#lists.set(write.key, list);
        list.append(write.text, sequence, write.options);
        this.#count += 1;
        this.#bytes += write.key.length + write.text.bytes;
        return;
      }
      case "clear":
        this.#clear(write.key, sequence);
        return;
      case "retire":
        return;
    }
  }

  readValue(key: string): T | undefined {
    return this.#values.get(key)?.text;
  }

  readPage(key: string, options: ReadListOptions, limit: number): ElementPage<T> {
    return (this.#lists.get(key) ?? new ElementList<T>()).readPage(options, limit);
  }

  /** By the oldest commit that each still holds something of, then by name. */
  keys(): StoredKey[] {
    return [
      ...Array.from(this.#values, ([key, { sequence }]) => ({ kind: "value" as const, key, sequence })),
      ...Array.from(this.#lists, ([key, list]) => ({ kind: "list" as const, key, sequence: list.firstSequence })),
    ]
      .filter(({ sequence }) => sequence !== Infinity)
      .sort((a, b) => a.sequence - b.sequence || compareText(a.key, b.key) || compareText(a.kind, b.kind))
      .map(({ kind, key }) => ({ kind, key }));
  }

  /** All that is alive, as the writes that would make it again, in the order of their commits. */
  livingWrites(): { readonly sequence: Sequence; readonly write: Write<T> }[] {
    const values = Array.from(this.#values, ([key, { text, sequence }]) => ({
      sequence,
      write: { kind: "set" as const, key, text },
    }));
    const elements = Array.from(this.#lists, ([key, list]) =>
      Array.from(list, ({ sequence, text, tag }) => ({
        sequence,
        write: { kind: "append" as const, key, text, options: { tag } },
      })),
    );
    return [...values, ...elements.flat()].sort((a, b) => a.sequence - b.sequence);
  }

  #deleteValue(key: string, sequence: Sequence): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#lastLoss = sequence;
    this.#count -= 1;
    this.#bytes -= key.length + value.text.bytes;
  }

  #clear(key: string, sequence: Sequence): void {
    const list = this.#lists.get(key);
    if (list === undefined || list.length === 0) return;
    this.#lastLoss = sequence;
    this.#count -= list.length;
    this.#bytes -= key.length * list.length + list.clear();
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
