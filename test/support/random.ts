/** Numbers from 0 up to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seed that `SPILLWAY_SEED` asks all random tests for, to see again what one of them has named. */
export function wantedSeed(): number | undefined {
  const text = process.env["SPILLWAY_SEED"];
  if (text === undefined) return undefined;
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new Error(`SPILLWAY_SEED is a whole number that a random test has named; "${text}" is not.`);
}

/** A seed that differs from run to run; a test that uses it names it when it fails. */
export function freshSeed(): number {
  return Math.floor(Math.random() * 2 ** 32);
}

/** The seed of a test that has one for all its rounds, and names it. */
export function runSeed(): number {
  return wantedSeed() ?? freshSeed();
}
