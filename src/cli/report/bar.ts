const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar for `value` of `most`, in eighths of a column; anything above nothing is seen. */
export function drawBar(value: number, most: number, columns: number): string {
  if (value <= 0 || most <= 0) return "";
  const eighths = Math.max(1, Math.round((Math.min(value, most) / most) * columns * 8));
  return `${"█".repeat(Math.floor(eighths / 8))}${EIGHTHS[eighths % 8] ?? ""}`;
}
