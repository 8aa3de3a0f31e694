import type { AppendOptions, ListCursor, ReadListOptions, Sequence } from "./contract.js";
import { StorageError } from "./errors.js";
import type { StoredText } from "./writes.js";

export interface StoredElement<T extends StoredText> {
  readonly text: T;
  readonly sequence: Sequence;
  readonly tag: string | undefined;
}

export interface ElementPage<T extends StoredText> {
  readonly elements: readonly StoredElement<T>[];
  readonly next?: ListCursor;
}

/** The living elements of one list, as columns, because a long session has millions of them. */
export class ElementList<T extends StoredText> {
  readonly #sequences: Sequence[] = [];
  readonly #texts: T[] = [];
  readonly #tags = new Map<number, string>();

  get length(): number {
    return this.#texts.length;
  }

  get firstSequence(): Sequence {
    return this.#sequences[0] ?? Infinity;
  }

  append(text: T, sequence: Sequence, { tag }: AppendOptions): void {
    if (tag !== undefined) this.#tags.set(this.length, tag);
    this.#sequences.push(sequence);
    this.#texts.push(text);
  }

  /** Drops every element and gives the bytes of their texts. */
  clear(): number {
    const bytes = this.#texts.reduce((sum, text) => sum + text.bytes, 0);
    this.#sequences.length = 0;
    this.#texts.length = 0;
    this.#tags.clear();
    return bytes;
  }

  *[Symbol.iterator](): Generator<StoredElement<T>> {
    for (let place = 0; place < this.length; place += 1) {
      const element = this.#at(place);
      if (element !== undefined) yield element;
    }
  }

  readPage({ order = "asc", cursor, stopAtTag }: ReadListOptions, limit: number): ElementPage<T> {
    const step = order === "asc" ? 1 : -1;
    const elements: StoredElement<T>[] = [];
    let place = this.#startPlace(order, cursor);
    for (let element = this.#at(place); element !== undefined && elements.length < limit; element = this.#at(place)) {
      elements.push(element);
      if (stopAtTag !== undefined && element.tag === stopAtTag) return { elements };
      place += step;
    }
    return this.#at(place) === undefined ? { elements } : { elements, next: this.#cursorAt(place, order) };
  }

  #at(place: number): StoredElement<T> | undefined {
    const text = this.#texts[place];
    const sequence = this.#sequences[place];
    if (text === undefined || sequence === undefined) return undefined;
    return { text, sequence, tag: this.#tags.get(place) };
  }

  /**
   * A cursor names an element by its commit and by its rank from the end of that commit's elements: neither changes
   * when older elements die, when a file is rewritten, or when the session is opened again.
   */
  #cursorAt(place: number, order: "asc" | "desc"): ListCursor {
    const sequence = this.#sequences[place] ?? 0;
    return `${order}.${sequence}.${this.#endOf(sequence) - place}`;
  }

  #startPlace(order: "asc" | "desc", cursor: ListCursor | undefined): number {
    if (cursor === undefined) return order === "asc" ? 0 : this.length - 1;
    const [, cursorOrder, sequence, rank] = /^(asc|desc)\.(\d{1,16})\.(\d{1,10})$/.exec(cursor) ?? [];
    if (cursorOrder !== order) {
      throw new StorageError(
        "invalid_argument",
        "A cursor must be the `next` of a page that was read in the same order.",
      );
    }
    const place = this.#endOf(Number(sequence)) - Number(rank);
    // What the cursor named may be dead by now: ascending goes on with the oldest that lives, descending is at its end.
    return order === "asc" ? Math.max(0, place) : place;
  }

  /** The place behind the last element of that commit or an earlier one. */
  #endOf(sequence: Sequence): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sequences[middle] ?? Infinity) <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
