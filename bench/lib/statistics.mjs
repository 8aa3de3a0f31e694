/**
 * @param {readonly number[]} values
 * @param {number} part from 0 to 1
 */
export function quantile(values, part) {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const position = (sorted.length - 1) * part;
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}
