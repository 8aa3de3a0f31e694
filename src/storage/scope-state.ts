import type { AppendOptions, ListElement, ReadListOptions, ListPage, Sequence, StoredKey } from "./contract.js";
import { StorageError } from "./errors.js";
import type { Write } from "./writes.js";

interface StoredElement {
  readonly text: string;
  readonly sequence: Sequence;
  readonly tag: string | undefined;
}

interface StoredList {
  /** How many elements were dropped from the front; places in the list stay good for cursors. */
  dropped: number;
  readonly elements: StoredElement[];
}

/** What one life of a scope holds: the fold of its writes. */
export class ScopeState {
  readonly #values = new Map<string, string>();
  readonly #lists = new Map<string, StoredList>();
  #bytes = 0;

  /** Bytes of keys and texts that are alive. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.keys().length === 0;
  }

  apply(write: Write, sequence: Sequence): void {
    switch (write.kind) {
      case "set":
        this.#deleteValue(write.key);
        this.#values.set(write.key, write.text);
        this.#bytes += sizeOf(write.key, write.text);
        return;
      case "delete":
        this.#deleteValue(write.key);
        return;
      case "append":
        this.#append(write.key, write.text, write.options, sequence);
        return;
      case "clear":
        this.#drop(write.key);
        return;
      case "retire":
        return;
    }
  }

  readValue(key: string): unknown {
    const text = this.#values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  readList<T>(key: string, limit: number, options: ReadListOptions): ListPage<T> {
    const list = this.#lists.get(key);
    if (list === undefined) return { elements: [] };
    const descending = options.order === "desc";
    const elements: ListElement<T>[] = [];
    let place = startPlace(list, options);
    for (; isHeld(list, place) && elements.length < limit; place += descending ? -1 : 1) {
      const element = list.elements[place - list.dropped];
      if (element === undefined) break;
      elements.push(toListElement<T>(element));
      if (options.stopAtTag !== undefined && element.tag === options.stopAtTag) return { elements };
    }
    return isHeld(list, place) ? { elements, next: `${descending ? "d" : "a"}${place}` } : { elements };
  }

  keys(): StoredKey[] {
    return [
      ...[...this.#values.keys()].map((key) => ({ kind: "value" as const, key })),
      ...[...this.#lists]
        .filter(([, list]) => list.elements.length > 0)
        .map(([key]) => ({ kind: "list" as const, key })),
    ];
  }

  #append(key: string, text: string, options: AppendOptions, sequence: Sequence): void {
    if (options.supersedes === true) this.#drop(key);
    const list = this.#lists.get(key) ?? { dropped: 0, elements: [] };
    this.#lists.set(key, list);
    list.elements.push({ text, sequence, tag: options.tag });
    this.#bytes += sizeOf(key, text);
  }

  #drop(key: string): void {
    const list = this.#lists.get(key);
    if (list === undefined) return;
    for (const { text } of list.elements) this.#bytes -= sizeOf(key, text);
    list.dropped += list.elements.length;
    list.elements.length = 0;
  }

  #deleteValue(key: string): void {
    const text = this.#values.get(key);
    if (text === undefined) return;
    this.#values.delete(key);
    this.#bytes -= sizeOf(key, text);
  }
}

function startPlace(list: StoredList, { cursor, order }: ReadListOptions): number {
  const first = list.dropped;
  const last = list.dropped + list.elements.length - 1;
  if (cursor === undefined) return order === "desc" ? last : first;
  const match = /^([ad])(\d{1,15})$/.exec(cursor);
  if (match === null || (match[1] === "d") !== (order === "desc")) {
    throw new StorageError("invalid_argument", "The cursor is not the `next` of a page read in this order.");
  }
  // What a cursor pointed at may be dead by now; ascending goes on with the oldest that lives.
  return order === "desc" ? Number(match[2]) : Math.max(first, Number(match[2]));
}

function isHeld(list: StoredList, place: number): boolean {
  return place >= list.dropped && place < list.dropped + list.elements.length;
}

function toListElement<T>({ text, sequence, tag }: StoredElement): ListElement<T> {
  const value = JSON.parse(text) as T;
  return tag === undefined ? { value, sequence } : { value, sequence, tag };
}

function sizeOf(key: string, text: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(text);
}
