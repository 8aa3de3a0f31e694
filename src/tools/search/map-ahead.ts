/** Maps items in their order, with so many at a time under way: what waits for a remote env waits for several at once. */
export async function* mapAhead<T, U>(
  items: AsyncIterable<T>,
  width: number,
  map: (item: T) => Promise<U>,
): AsyncGenerator<U, void> {
  const running: Promise<U>[] = [];
  for await (const item of items) {
    const mapped = map(item);
    // Whoever takes it is told; if nobody does any more, its failure is nobody's.
    mapped.catch(() => undefined);
    running.push(mapped);
    const [first] = running;
    if (running.length < width || first === undefined) continue;
    yield await first;
    void running.shift();
  }
  for (const mapped of running) yield await mapped;
}
