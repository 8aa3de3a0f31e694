import { count } from "../files/counts.js";
import { showName } from "../files/visible-text.js";

/** Names that a notice has room for. */
const MAX_NAMED = 5;

/** What a search could not look at. It goes on all the same, and says so at its end. */
export class SearchGaps {
  /** Lines that were searched in their first part only. */
  longLines = 0;
  /** Matching lines that were too long to be taken. */
  unshownLines = 0;
  /** Whether the search ended before it was through. */
  isCutShort = false;
  readonly #show: (path: string) => string;
  readonly #unread: string[] = [];
  #unreadCount = 0;
  readonly #cut: string[] = [];

  /** `show` gives a path below the searched folder as people see it. */
  constructor(show: (path: string) => string) {
    this.#show = (path) => showName(show(path));
  }

  unread(path: string): void {
    this.#unreadCount += 1;
    if (this.#unread.length < MAX_NAMED) this.#unread.push(this.#show(path));
  }

  cut(path: string, entries: number): void {
    if (this.#cut.length < MAX_NAMED)
      this.#cut.push(`Only the first ${entries} entries of ${this.#show(path)} were looked at.`);
  }

  describe(): string[] {
    const more = this.#unreadCount - this.#unread.length;
    const unread = `Could not be read: ${this.#unread.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
    return [
      ...(this.#unreadCount > 0 ? [unread] : []),
      ...this.#cut,
      ...(this.longLines > 0 ? [`Only the start of ${count(this.longLines, "very long line")} was searched.`] : []),
      ...(this.unshownLines > 0 ? [`${count(this.unshownLines, "match", "matches")} in lines too long to show.`] : []),
      ...(this.isCutShort ? ["The search printed too much and was cut short: narrow pattern, path or glob."] : []),
    ];
  }
}
