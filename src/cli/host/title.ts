const MAX_TITLE_LENGTH = 200;

/** What a session is about: the beginning of its first prompt, on one line. */
export function makeTitle(prompt: string | null | undefined): string {
  const line = (prompt ?? "").trim().replace(/\s+/g, " ");
  return Array.from(line.slice(0, 2 * MAX_TITLE_LENGTH))
    .slice(0, MAX_TITLE_LENGTH)
    .join("");
}
