/** Numbers from 0 up to 1 that depend on the seed alone (xorshift). */
export function seededRandom(seed) {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
