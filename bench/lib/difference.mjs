/**
 * Where two JSON values differ first, in words; undefined where they are equal. The order of keys does not count.
 *
 * @param {unknown} left
 * @param {unknown} right
 * @param {string} place
 * @returns {string | undefined}
 */
export function findDifference(left, right, place = "value") {
  if (left === right) return undefined;
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) {
    return `${place}: ${describe(left)} against ${describe(right)}`;
  }
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const key of keys) {
    const difference = findDifference(left[key], right[key], `${place}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isContainer(value) {
  return typeof value === "object" && value !== null;
}

/** @param {unknown} value */
function describe(value) {
  if (typeof value === "string") return `a text of ${value.length} that ends ${JSON.stringify(value.slice(-20))}`;
  return JSON.stringify(value)?.slice(0, 60) ?? String(value);
}
