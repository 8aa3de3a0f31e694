/** Such as `999 B`, `12.3 kB`, `4.56 MB`: three figures, powers of 1,000. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit] ?? ""}`;
}

/** Such as `1,234,567`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Such as `1 line` or `1,200 lines`. */
export function formatAmount(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Such as `0.4 s`, `75.2 s`, `12 min 5 s`. */
export function formatDuration(durationMs: number): string {
  const seconds = durationMs / 1_000;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Local time such as `2026-12-02 08:25`. */
export function formatTime(at: number | null): string {
  if (at === null) return "–";
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
