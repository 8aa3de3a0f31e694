const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** The command as shell text: one argument is shell text already, several are one word each. */
export function toShellText(words: readonly string[]): string {
  const [only] = words;
  return words.length === 1 && only !== undefined ? only : words.map(quoteWord).join(" ");
}

/** A word that every POSIX shell reads back as it was. */
export function quoteWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
