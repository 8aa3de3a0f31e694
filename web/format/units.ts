/** Such as `999 B`, `12.3 kB`, `4.56 MB`: three figures, powers of 1,000. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ""}`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Such as `1,234,567`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Such as `1 line` or `1,200 lines`. */
export function formatAmount(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** How long ago something was: `now`, `40 s`, `12 min`, `3 h`, `5 d`. */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, Math.round(ageMs / 1_000));
  if (seconds < 5) return "now";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** The hour and minute of a moment, in this browser's own time; with its date where that is another day. */
export function formatMoment(at: number, now: number): string {
  const moment = new Date(at);
  const time = `${pad(moment.getHours())}:${pad(moment.getMinutes())}:${pad(moment.getSeconds())}`;
  if (moment.toDateString() === new Date(now).toDateString()) return time;
  return `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())} ${time}`;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
