// Controls but tab and newline, and the characters that turn the reading direction of what follows.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const ESCAPE = 0x1b;

/**
 * Text with a sign in the place of each character that would not be seen, or would make other characters be seen
 * elsewhere than they are. Code unit for code unit: positions in the text stay positions in what is shown.
 */
export function displayText(text: string): string {
  return text.replace(UNSEEN, (control) => (control.charCodeAt(0) === ESCAPE ? "\u241b" : "\ufffd"));
}
