/** Most arguments that a call is given at once; far below what the smallest stack takes. */
const MAX_SPREAD = 8_192;

/** `target.splice(index, remove, ...items)` for any number of items. Gives what was removed. */
export function spliceItems<T>(target: T[], index: number, remove: number, items: readonly T[]): T[] {
  const removed = target.splice(index, remove, ...items.slice(0, MAX_SPREAD));
  for (let at = MAX_SPREAD; at < items.length; at += MAX_SPREAD) {
    target.splice(index + at, 0, ...items.slice(at, at + MAX_SPREAD));
  }
  return removed;
}
