/**
 * How long the provider asks to be left alone, in milliseconds: its own header in milliseconds before the standard one, in
 * seconds or as a date. Undefined where it says nothing that can be read.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const inMs = readAmount(headers["retry-after-ms"]);
  if (inMs !== undefined) return inMs;
  const standard = headers["retry-after"];
  const inSeconds = readAmount(standard);
  if (inSeconds !== undefined) return Math.round(inSeconds * 1_000);
  // A date has letters; `Date.parse` would take much else for one.
  const date = standard !== undefined && /[a-z]{3}/i.test(standard) ? Date.parse(standard) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readAmount(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,12}(\.\d{1,6})?\s*$/.test(text) ? Number(text) : undefined;
}
