/** The text with a newline at its end, unless it is empty. */
export function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
