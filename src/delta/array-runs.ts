/** A stretch of an array: elements that stood at `from` on at the last flush, or new ones when `from` is {@link NEW}. */
interface Run {
  from: number;
  count: number;
}

/** Old position of an element that came after the last flush. */
export const NEW = -1;

/** One splice that, after those before it, turns the old array into the new one. Indexes are final. */
export interface RunEdit {
  readonly index: number;
  readonly remove: number;
  readonly insert: number;
}

/**
 * How an array's elements moved since the last flush, as runs of old and new elements. Any number of splices costs what
 * they leave behind, so ten thousand pushes are one run.
 */
export class ArrayRuns {
  readonly #oldLength: number;
  #runs: Run[];
  #length: number;

  constructor(length: number) {
    this.#oldLength = length;
    this.#length = length;
    this.#runs = length === 0 ? [] : [{ from: 0, count: length }];
  }

  /** Whether every element stands where it stood. */
  get unmoved(): boolean {
    const [first, second] = this.#runs;
    if (first === undefined) return this.#oldLength === 0;
    return second === undefined && first.from === 0 && first.count === this.#oldLength;
  }

  /** Whether there were elements and all of them are gone. */
  get replaced(): boolean {
    return this.#oldLength > 0 && this.#runs.every((run) => run.from === NEW);
  }

  /** A copy to return to. */
  copy(): ArrayRuns {
    const copy = new ArrayRuns(this.#oldLength);
    copy.#runs = this.#runs.map((run) => ({ ...run }));
    copy.#length = this.#length;
    return copy;
  }

  splice(index: number, remove: number, insert: number): void {
    if (remove === 0 && insert === 0) return;
    if (index === this.#length) this.#push(insert);
    else this.#replace(index, remove, insert);
    this.#length += insert - remove;
  }

  /** Where the element that is now at `index` stood, or {@link NEW}. */
  oldIndex(index: number): number {
    let at = index;
    for (const run of this.#runs) {
      if (at < run.count) return run.from === NEW ? NEW : run.from + at;
      at -= run.count;
    }
    return NEW;
  }

  /** Where the element that stood at `old` is now, or {@link NEW} when it is gone. */
  newIndex(old: number): number {
    let index = 0;
    for (const run of this.#runs) {
      if (run.from !== NEW && old >= run.from && old < run.from + run.count) return index + old - run.from;
      index += run.count;
    }
    return NEW;
  }

  /** The splices, first to last, that turn the old array into the new one. */
  edits(): RunEdit[] {
    const edits: RunEdit[] = [];
    let [index, old, insert] = [0, 0, 0];
    const close = (upTo: number): void => {
      if (insert > 0 || upTo > old) edits.push({ index: index - insert, remove: upTo - old, insert });
      insert = 0;
    };
    for (const run of this.#runs) {
      if (run.from === NEW) {
        insert += run.count;
      } else {
        close(run.from);
        old = run.from + run.count;
      }
      index += run.count;
    }
    close(this.#oldLength);
    return edits;
  }

  #push(insert: number): void {
    const last = this.#runs.at(-1);
    if (last?.from === NEW) last.count += insert;
    else this.#runs.push({ from: NEW, count: insert });
  }

  #replace(index: number, remove: number, insert: number): void {
    const start = this.#cut(index);
    const end = this.#cut(index + remove);
    this.#runs.splice(start, end - start, ...(insert > 0 ? [{ from: NEW, count: insert }] : []));
    this.#join(start + 1);
    this.#join(start);
  }

  /** Makes a run begin at `index` and gives its position. */
  #cut(index: number): number {
    let at = index;
    for (const [position, run] of this.#runs.entries()) {
      if (at === 0) return position;
      if (at < run.count) {
        const rest = { from: run.from === NEW ? NEW : run.from + at, count: run.count - at };
        run.count = at;
        this.#runs.splice(position + 1, 0, rest);
        return position + 1;
      }
      at -= run.count;
    }
    return this.#runs.length;
  }

  /** Joins the run at `position` with the one before it where they belong together. */
  #join(position: number): void {
    const before = this.#runs[position - 1];
    const run = this.#runs[position];
    if (before === undefined || run === undefined) return;
    const belongs =
      run.from === NEW ? before.from === NEW : before.from !== NEW && before.from + before.count === run.from;
    if (!belongs) return;
    before.count += run.count;
    this.#runs.splice(position, 1);
  }
}
