import { RE2JS } from "re2js";
import { ToolError } from "../errors.js";

export interface LinePatternOptions {
  readonly isLiteral: boolean;
  readonly ignoresCase: boolean;
}

/**
 * What lines are searched for. An expression has RE2's syntax, which is matched in linear time whatever it is; `\d`, `\w`,
 * `\s` and `\b` are about ASCII. @throws {ToolError} `invalid_pattern`.
 */
export class LinePattern {
  readonly text: string;
  readonly options: LinePatternOptions;
  readonly #expression: RE2JS | undefined;

  constructor(text: string, options: LinePatternOptions) {
    this.text = text;
    this.options = options;
    if (/[\n\0]/.test(text)) throw refuse(text, "a match lies within one line and holds no NUL", undefined);
    if (!options.isLiteral || options.ignoresCase) this.#expression = compile(text, options);
  }

  /** Where in a line, which has no newline, the first match begins; -1 where there is none. */
  find(line: string): number {
    if (this.#expression === undefined) return line.indexOf(this.text);
    if (!this.#expression.test(line)) return -1;
    const matcher = this.#expression.matcher(line);
    return matcher.find() ? matcher.start() : 0;
  }

  matches(line: string): boolean {
    return this.#expression === undefined ? line.includes(this.text) : this.#expression.test(line);
  }
}

function compile(text: string, { isLiteral, ignoresCase }: LinePatternOptions): RE2JS {
  try {
    return RE2JS.compile(isLiteral ? RE2JS.quote(text) : text, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (cause) {
    throw refuse(text, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function refuse(text: string, why: string, cause: unknown): ToolError {
  return new ToolError(
    "invalid_pattern",
    `the pattern ${JSON.stringify(text.slice(0, 200))} cannot be used: ${why}. ` +
      "It has RE2's syntax, without look-around and back-references; set literal to search for the text itself",
    { cause },
  );
}
