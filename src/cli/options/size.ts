const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1_024, m: 1_048_576 };

/** What a count may be; `unit` names it in the words of an error. */
export interface CountRange {
  readonly unit: "bytes" | "lines";
  readonly min: number;
  readonly max: number;
}

/** A whole number within a range, of bytes also as `64k` or `1m`; throws a RangeError that says what is accepted. */
export function parseCount(text: string, range: CountRange): number {
  const [, digits, suffix] = /^(\d+)(k|m|)$/i.exec(text) ?? [];
  const isCount = digits !== undefined && suffix !== undefined && (suffix === "" || range.unit === "bytes");
  if (!isCount) throw new RangeError(`"${text}" is not a number of ${range.unit}; use ${describeForms(range)}`);
  const count = Number(digits) * (UNITS[suffix.toLowerCase()] ?? 1);
  if (count < range.min || count > range.max) {
    throw new RangeError(`"${text}" is out of range; use ${range.min} to ${range.max} ${range.unit}`);
  }
  return count;
}

function describeForms(range: CountRange): string {
  return range.unit === "bytes" ? "a whole number such as 51200 or 50k" : "a whole number such as 2000";
}
