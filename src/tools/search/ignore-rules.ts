import { compileGlob } from "./glob.js";

/** What a file of rules says of a path; nothing where no rule is about it. */
export type Verdict = "ignored" | "kept" | undefined;

interface IgnoreRule {
  readonly isKept: boolean;
  readonly isFolderOnly: boolean;
  readonly matches: (path: string) => boolean;
}

/** Lines of a file that are looked at, and characters of one: rules are of a tree that may mean harm. */
const MAX_RULES = 5_000;
const MAX_RULE_UNITS = 1_000;

/**
 * The rules of a `.gitignore`, as gitignore(5) has them. A line that is no rule says nothing, as with git. Rules and paths
 * are compared as bytes, one character each, since git's `?` stands for a byte.
 */
export class IgnoreRules {
  readonly #rules: readonly IgnoreRule[];

  constructor(content: Uint8Array) {
    this.#rules = toLatin1(content)
      .replace(/^\xef\xbb\xbf/, "")
      .split(/\r?\n/, MAX_RULES)
      .flatMap((line) => (line.length > MAX_RULE_UNITS ? [] : parseRule(line)))
      .toReversed();
  }

  /** `path` is relative to the folder of the rules. The last rule that is about it decides. */
  judge(path: string, isFolder: boolean): Verdict {
    return this.#judgeBytes(NOT_ASCII.test(path) ? toLatin1(Buffer.from(path)) : path, isFolder);
  }

  #judgeBytes(path: string, isFolder: boolean): Verdict {
    const rule = this.#rules.find((rule) => (isFolder || !rule.isFolderOnly) && rule.matches(path));
    if (rule === undefined) return undefined;
    return rule.isKept ? "kept" : "ignored";
  }
}

const NOT_ASCII = /[^\0-\x7f]/;

function toLatin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("latin1");
}

function parseRule(line: string): IgnoreRule[] {
  if (line.startsWith("#")) return [];
  const trimmed = trimSpaces(line);
  const isKept = trimmed.startsWith("!");
  const pattern = isKept ? trimmed.slice(1) : trimmed;
  const isFolderOnly = pattern.endsWith("/");
  const glob = isFolderOnly ? pattern.slice(0, -1) : pattern;
  if (glob === "") return [];
  const matches = createMatcher(glob);
  return matches === undefined ? [] : [{ isKept, isFolderOnly, matches }];
}

/** Spaces at the end do not count, unless a backslash says so. */
function trimSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let from = at;
  while (from > 0 && line[from - 1] === "\\") from -= 1;
  return (at - from) % 2 === 1;
}

/** A rule with a slash is about paths from its folder on, one without about names. Most rules need no expression. */
function createMatcher(glob: string): IgnoreRule["matches"] | undefined {
  const isOfPath = glob.includes("/");
  const bare = glob.startsWith("/") ? glob.slice(1) : glob;
  const subject = (path: string): string => (isOfPath ? path : path.slice(path.lastIndexOf("/") + 1));
  if (!/[*?[\\]/.test(bare)) return (path) => subject(path) === bare;
  if (!isOfPath && /^\*[^*?[\\]+$/.test(bare)) {
    const end = bare.slice(1);
    return (path) => path.endsWith(end) && subject(path).length >= end.length;
  }
  try {
    const expression = compileGlob(bare, { hasBraces: false });
    return (path) => expression.testExact(subject(path));
  } catch {
    return undefined;
  }
}
