/** RE2's classes within a set, as ripgrep has them without Unicode. */
const SET_CLASSES: Readonly<Record<string, string>> = {
  d: "0-9",
  D: "[^0-9]",
  w: "0-9A-Za-z_",
  W: "[^0-9A-Za-z_]",
  s: "\\t\\n\\x0C\\r ",
  S: "[^\\t\\n\\x0C\\r ]",
};

const ANCHORS: Readonly<Record<string, string>> = { b: "(?-u:\\b)", B: "(?-u:\\B)", A: "^", z: "$" };

/**
 * An expression that RE2 takes, in the words of ripgrep, whose `\d`, `\w`, `\s` and `\b` are about Unicode and whose sets
 * have operators.
 */
export function toRipgrepPattern(pattern: string): string {
  let isInSet = false;
  return pattern.replace(TOKEN, (token: string) => {
    const escaped = token.startsWith("\\") ? token.slice(1) : undefined;
    if (token.startsWith("\\Q")) return quote(token.slice(2).replace(/\\E$/, ""));
    if (escaped !== undefined) return translateEscape(token, escaped, isInSet);
    if (!isInSet) {
      isInSet = token.startsWith("[");
      return token;
    }
    if (token === "]") isInSet = false;
    return SET_OPERATORS.has(token) ? `\\${token}` : token;
  });
}

// A set's first `]` is a member of it. Code points, so that a character is never taken apart.
const TOKEN = /\\Q[^]*?(?:\\E|$)|\\[^]|\[:\^?[a-z]+:\]|\[\^?\]?|[^]/gu;

const SET_OPERATORS: ReadonlySet<string> = new Set(["[", "[]", "[^", "[^]", "&", "~"]);

function translateEscape(token: string, escaped: string, isInSet: boolean): string {
  const set = SET_CLASSES[escaped];
  if (set !== undefined) return isInSet || set.startsWith("[") ? set : `[${set}]`;
  return isInSet ? token : (ANCHORS[escaped] ?? token);
}

function quote(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&~-]/g, "\\$&");
}
