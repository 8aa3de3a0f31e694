/** C0 without tab and newline, DEL and C1: what a terminal would obey. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const NAME_CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * Text in which every control character but tab and newline is seen instead of obeyed: as its picture (`␛`), or as U+FFFD
 * where Unicode has none.
 */
export function showControls(text: string): string {
  return text.replace(CONTROL, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}

/** A file's name on one line: as it is, or, where it holds control characters, as a JSON string. */
export function showName(name: string): string {
  NAME_CONTROL.lastIndex = 0;
  if (!NAME_CONTROL.test(name)) return name;
  return JSON.stringify(name).replaceAll(NAME_CONTROL, escapeControl);
}

function escapeControl(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
