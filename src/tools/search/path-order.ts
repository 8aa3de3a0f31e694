/**
 * Compares paths part by part, each by its code points: a folder comes right before what is in it. ripgrep sorts so too.
 */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

const SLASH = 0x2f;

/** A separator comes before all; surrogates stand for characters behind every other. */
function rank(unit: number): number {
  if (unit === SLASH) return -1;
  if (unit >= 0xd800 && unit <= 0xdfff) return unit + 0x10000;
  return unit;
}
