/**
 * Numbers from 0 up to 1 that follow from the seed alone, so that every subject is given the same edits.
 *
 * @typedef {() => number} Random
 * @param {number} seed
 * @returns {Random}
 */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}

/**
 * @param {Random} random
 * @param {number} below
 */
export function randomInteger(random, below) {
  return Math.floor(random() * below);
}
