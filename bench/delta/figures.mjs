import { median } from "../lib/statistics.mjs";

/**
 * @typedef {object} Figures Of one flush.
 * @property {number} produce µs to mutate, flush, encode and stringify
 * @property {number} consume µs to parse, decode and apply
 * @property {number} bytes
 * @property {number | null} overhead Bytes beyond the new text as JSON; null where the edits bring none.
 */

/**
 * The median of each.
 *
 * @param {readonly Figures[]} figures
 * @returns {Figures}
 */
export function medianFigures(figures) {
  const overheads = figures.flatMap(({ overhead }) => (overhead === null ? [] : [overhead]));
  return {
    produce: median(figures.map(({ produce }) => produce)),
    consume: median(figures.map(({ consume }) => consume)),
    bytes: median(figures.map(({ bytes }) => bytes)),
    overhead: overheads.length === 0 ? null : median(overheads),
  };
}
