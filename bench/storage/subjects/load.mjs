import { loadSpillway } from "./spillway.mjs";
import { PI } from "./subject.mjs";
import { wholeValue } from "./whole-value.mjs";

/** @typedef {import("./subject.mjs").Subject} Subject */

/**
 * The subjects of these names. Rivals are loaded where they are asked for, because not everybody has them.
 *
 * @param {string} library The built package's folder.
 * @param {readonly string[]} names
 * @returns {Promise<Subject[]>}
 */
export async function loadSubjects(library, names) {
  const subjects = [...(await loadSpillway(library)), wholeValue(false), wholeValue(true)];
  if (names.includes(PI)) subjects.push((await import("./pi-session.mjs")).piSession);
  if (names.some((name) => name.startsWith("pico3"))) {
    const { pico3 } = await import("./pico3.mjs");
    subjects.push(pico3(true), pico3(false));
  }
  return names.map((name) => {
    const found = subjects.find((subject) => subject.name === name);
    if (found === undefined) throw new Error(`there is no subject ${name}`);
    return found;
  });
}
