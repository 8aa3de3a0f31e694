const TAB_STOP = 8;
// C0 and C1 controls and DEL. Eight-bit CSI and OSC are among them: terminals obey U+009B as they obey ESC [.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
const PLAIN_ASCII = /^[\x20-\x7e]*$/;

/**
 * One line of text that a terminal can only show: tabs become the spaces that they stand for and every other control
 * becomes U+FFFD. The env has removed controls already; this holds also for a state that came from somewhere else.
 */
export function printableLine(line: string): string {
  if (PLAIN_ASCII.test(line)) return line;
  return expandTabs(line).replace(CONTROLS, "\ufffd");
}

/** The same for text of many lines, with its newlines and tabs kept. */
export function printableText(text: string): string {
  return text.replace(CONTROLS, (control) => (control === "\n" || control === "\t" ? control : "\ufffd"));
}

/** Counts characters, not columns: exact for the indentation that tabs are mostly used for. */
function expandTabs(line: string): string {
  let column = 0;
  return line.replace(/\t|[^\t]+/g, (part) => {
    const text = part === "\t" ? " ".repeat(TAB_STOP - (column % TAB_STOP)) : part;
    column += text.length;
    return text;
  });
}
