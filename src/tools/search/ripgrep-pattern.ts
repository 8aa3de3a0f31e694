/** RE2's classes, as members of a set of ripgrep's. */
const CLASSES: Readonly<Record<string, string>> = {
  d: "0-9",
  D: "[^0-9]",
  w: "0-9A-Za-z_",
  W: "[^0-9A-Za-z_]",
  s: "\\t\\n\\x0C\\r ",
  S: "[^\\t\\n\\x0C\\r ]",
};

const ANCHORS: Readonly<Record<string, string>> = { b: "(?-u:\\b)", B: "(?-u:\\B)", A: "^", z: "$" };

// Code points, so that a character is never taken apart. The first `]` of a set is a member of it.
const OUTSIDE = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?|[^]/uy;
const INSIDE = /\\[^]|\[:\^?[a-z]+:\]|[^]/uy;

/**
 * An expression that RE2 takes, in the words of ripgrep, whose `\d`, `\w`, `\s` and `\b` are about Unicode and whose sets
 * have operators.
 */
export function toRipgrepPattern(pattern: string): string {
  let translated = "";
  let isInSet = false;
  for (let at = 0; at < pattern.length;) {
    const expression: RegExp = isInSet ? INSIDE : OUTSIDE;
    expression.lastIndex = at;
    const token: string = expression.exec(pattern)?.[0] ?? "";
    at += token.length;
    translated += isInSet ? translateMember(token) : translateToken(token);
    isInSet = isInSet ? token !== "]" : token.startsWith("[");
  }
  return translated;
}

function translateToken(token: string): string {
  if (token.startsWith("\\Q")) return quote(token.slice(2).replace(/\\E$/, ""));
  if (!token.startsWith("\\")) return token;
  const members = CLASSES[token.slice(1)];
  if (members === undefined) return ANCHORS[token.slice(1)] ?? token;
  return members.startsWith("[") ? members : `[${members}]`;
}

function translateMember(token: string): string {
  if (token.startsWith("\\")) return CLASSES[token.slice(1)] ?? token;
  return token === "[" || token === "&" || token === "~" ? `\\${token}` : token;
}

function quote(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&~-]/g, "\\$&");
}
