/** Most arguments that a call is given at once; far below what the smallest stack takes. */
const MAX_SPREAD = 8_192;

/** `target.splice(index, remove, ...items)` for any number of items. Gives what was removed. */
export function spliceItems<T>(target: T[], index: number, remove: number, items: readonly T[]): T[] {
  if (items.length <= MAX_SPREAD) return target.splice(index, remove, ...items);
  const removed = target.splice(index, remove);
  const tail = target.splice(index);
  for (const item of items) target.push(item);
  for (const item of tail) target.push(item);
  return removed;
}
