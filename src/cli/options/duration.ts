const UNITS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3_600 };
/** What a timer of Node can wait, in whole days. */
export const MAX_DURATION_SECONDS = 24 * 86_400;

/** Seconds of `90`, `90s`, `1.5m` or `2h`; throws a RangeError whose message says what is accepted. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(s|m|h|)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) {
    throw new RangeError(
      `"${text}" is not a duration; use seconds such as 90 or 90s, minutes such as 5m, hours such as 2h`,
    );
  }
  const seconds = Number(amount) * (UNITS[unit] ?? 1);
  if (seconds <= 0) throw new RangeError(`"${text}" is no time at all; use more than 0 seconds`);
  if (seconds > MAX_DURATION_SECONDS) {
    throw new RangeError(`"${text}" is longer than 24 days; use at most ${MAX_DURATION_SECONDS} seconds`);
  }
  return seconds;
}
