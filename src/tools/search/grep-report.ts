import type { OutputLimits } from "../contract.js";
import { count } from "../files/counts.js";
import { ShownLines } from "../files/shown-lines.js";
import { showName } from "../files/visible-text.js";
import type { FileMatches, FoundLine } from "./file-matches.js";

export interface GrepReportOptions {
  readonly limits: Pick<OutputLimits, "maxBytes" | "maxLines">;
  readonly maxMatches: number;
  /** Whether lines around matches are shown, so that groups of lines are set apart. */
  readonly hasContext: boolean;
  readonly show: (path: string) => string;
}

/** The text of a search: `path:line:text` for a match, `path-line-text` for a line around one, `--` between groups. */
export class GrepReport {
  matches = 0;
  files = 0;
  /** Whether there is more than is shown. */
  hasMore = false;
  readonly #options: GrepReportOptions;
  readonly #shown: ShownLines;
  #isShortened = false;

  constructor(options: GrepReportOptions) {
    this.#options = options;
    this.#shown = new ShownLines(options.limits);
  }

  get text(): string {
    return this.#shown.text;
  }

  /** Whether more of the search can be shown. */
  take({ path, lines }: FileMatches): boolean {
    const before = this.matches;
    let last: number | undefined;
    for (const line of lines) {
      if (line.isMatch && this.matches === this.#options.maxMatches) this.hasMore = true;
      else this.hasMore = !this.#shown.add(...this.#print(path, line, last));
      if (this.hasMore) break;
      last = line.number;
      if (line.isMatch) this.matches += 1;
      this.#isShortened ||= line.isShortened;
    }
    if (this.matches > before) this.files += 1;
    return !this.hasMore;
  }

  describe(what: string): string[] {
    const more = this.hasMore
      ? [
          `The first ${count(this.matches, "match", "matches")} shown, there are more: narrow pattern, path or glob, or raise limit.`,
        ]
      : [];
    return [
      ...(this.matches === 0 && !this.hasMore
        ? [`No line matches in ${what === "." ? "the working folder" : what}.`]
        : more),
      ...(this.#isShortened ? ["Long lines are shown in part, with their sizes."] : []),
    ];
  }

  #print(path: string, { number, text, isMatch }: FoundLine, last: number | undefined): string[] {
    const mark = isMatch ? ":" : "-";
    const line = `${showName(this.#options.show(path))}${mark}${number}${mark}${text}\n`;
    const isApart = this.#options.hasContext && this.#shown.count > 0 && last !== number - 1;
    return isApart ? ["--\n", line] : [line];
  }
}
