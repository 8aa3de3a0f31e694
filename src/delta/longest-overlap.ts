/**
 * How many code units `before` must lose at its front so that `after` begins with what is left: as few as possible, such that
 * `accepts` agrees to the number of units that are left. Linear in both strings, by the prefix function of Knuth, Morris and Pratt.
 */
export function findLongestOverlap(
  before: string,
  after: string,
  accepts: (units: number) => boolean,
): number | undefined {
  const longest = Math.min(before.length, after.length);
  const borders = prefixFunction(after, longest);
  let matched = 0;
  for (let index = before.length - longest; index < before.length; index += 1) {
    matched = extend(after, borders, matched, before.charCodeAt(index));
  }
  while (matched > 0 && !accepts(matched)) matched = borderOf(borders, matched);
  return matched > 0 ? before.length - matched : undefined;
}

/** For each beginning of `text`, the longest shorter beginning that it ends with. */
function prefixFunction(text: string, length: number): Int32Array {
  const borders = new Int32Array(length);
  let matched = 0;
  for (let index = 1; index < length; index += 1) {
    matched = extend(text, borders, matched, text.charCodeAt(index));
    borders[index] = matched;
  }
  return borders;
}

/** The longest beginning of `text` that ends with one more `unit`, given that one of `matched` units ended before it. */
function extend(text: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && text.charCodeAt(length) !== unit) length = borderOf(borders, length);
  return text.charCodeAt(length) === unit ? length + 1 : length;
}

function borderOf(borders: Int32Array, matched: number): number {
  return borders[matched - 1] ?? 0;
}
