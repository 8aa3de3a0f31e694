import { RE2JS } from "re2js";
import { ToolError } from "../errors.js";

export interface GlobSyntax {
  /** Whether `{a,b}` stands for either. */
  readonly hasBraces: boolean;
}

/**
 * A glob as a regular expression of a whole path without leading slash: `*` and `?` stay within a part, `**` does not.
 * It is matched in linear time whatever it is. @throws {ToolError} `invalid_pattern`.
 */
export function compileGlob(glob: string, syntax: GlobSyntax): RE2JS {
  const source = new GlobTranslation(glob, syntax).translate();
  try {
    return RE2JS.compile(source, RE2JS.DOTALL);
  } catch (cause) {
    throw new ToolError("invalid_pattern", `the glob ${glob} cannot be used: ${String(cause)}`, { cause });
  }
}

/** Chooses paths below a folder. */
export interface GlobFilter {
  matches(path: string, isFolder: boolean): boolean;
}

/** A glob without a slash is matched with the name, one with a slash with the path; one that ends in one, with folders. */
export function createGlobFilter(glob: string): GlobFilter {
  const isFolderOnly = glob.length > 1 && glob.endsWith("/");
  const bare = isFolderOnly ? glob.slice(0, -1) : glob;
  const expression = compileGlob(bare.replace(/^\.?\//, ""), { hasBraces: true });
  const isOfPath = bare.includes("/");
  return {
    matches(path, isFolder) {
      if (isFolderOnly && !isFolder) return false;
      return expression.testExact(isOfPath ? path : path.slice(path.lastIndexOf("/") + 1));
    },
  };
}

/** One pass over a glob. */
class GlobTranslation {
  readonly #glob: string;
  readonly #syntax: GlobSyntax;
  #at = 0;
  #depth = 0;

  constructor(glob: string, syntax: GlobSyntax) {
    this.#glob = glob;
    this.#syntax = syntax;
  }

  translate(): string {
    let source = "";
    while (this.#at < this.#glob.length) source += this.#next();
    if (this.#depth > 0) throw this.#refuse("a { has no }");
    return source;
  }

  #next(): string {
    const character = String.fromCodePoint(this.#glob.codePointAt(this.#at) ?? 0);
    if (character === "*") return this.#stars();
    this.#at += character.length;
    if (character === "?") return "[^/]";
    if (character === "[") return this.#set();
    if (character === "\\") return this.#escaped();
    if (this.#syntax.hasBraces && "{},".includes(character)) return this.#brace(character);
    return RE2JS.quote(character);
  }

  #stars(): string {
    const start = this.#at;
    while (this.#glob[this.#at] === "*") this.#at += 1;
    const before = this.#glob[start - 1];
    const isPart = this.#at - start >= 2 && (before === undefined || "/{,".includes(before));
    const next = this.#glob[this.#at];
    if (!isPart || (next !== undefined && !"/},".includes(next))) return "[^/]*";
    if (next !== "/") return before === "/" ? ".+" : ".*";
    this.#at += 1;
    return "(?:.*/)?";
  }

  #escaped(): string {
    const character = this.#glob.codePointAt(this.#at);
    if (character === undefined) throw this.#refuse("it ends with a backslash");
    const text = String.fromCodePoint(character);
    this.#at += text.length;
    return RE2JS.quote(text);
  }

  #brace(character: string): string {
    if (character === "{") {
      this.#depth += 1;
      return "(?:";
    }
    if (this.#depth === 0) {
      if (character === "}") throw this.#refuse("a } has no {");
      return ",";
    }
    if (character === ",") return "|";
    this.#depth -= 1;
    return ")";
  }

  /** A set of characters, never the slash. */
  #set(): string {
    const isNegated = "!^".includes(this.#glob[this.#at] ?? " ");
    if (isNegated) this.#at += 1;
    const start = this.#at;
    let source = "";
    while (this.#at === start || this.#glob[this.#at] !== "]") {
      const rest = this.#glob.slice(this.#at);
      const named = /^\[:[a-z]+:\]/.exec(rest)?.[0];
      if (rest === "") throw this.#refuse("a [ has no ]");
      source += named ?? this.#member(rest);
      if (named !== undefined) this.#at += named.length;
    }
    this.#at += 1;
    return isNegated ? `[^/${source}]` : `[${source}]`;
  }

  #member(rest: string): string {
    const text = String.fromCodePoint(rest.codePointAt(rest.startsWith("\\") && rest.length > 1 ? 1 : 0) ?? 0);
    this.#at += text.length + (rest.startsWith("\\") && rest.length > 1 ? 1 : 0);
    // A hyphen between two makes a range; elsewhere RE2 takes it as itself.
    if (text === "-" && !rest.startsWith("\\")) return "-";
    return /^[\w\u0080-\u{10ffff}]$/u.test(text) ? text : `\\x{${(text.codePointAt(0) ?? 0).toString(16)}}`;
  }

  #refuse(why: string): ToolError {
    return new ToolError("invalid_pattern", `the glob ${this.#glob} cannot be used: ${why}`);
  }
}
