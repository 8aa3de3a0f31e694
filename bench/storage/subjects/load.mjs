import { loadSpillway } from "./spillway.mjs";
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
  if (names.includes("pi JSONL session")) subjects.push((await import("./pi-session.mjs")).piSession);
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

export const SPILLWAY = "spillway";
export const BARE = "bare write + fdatasync";
const WHOLE_VALUE = "whole-value JSONL";
const WHOLE_VALUE_SYNCED = "whole-value JSONL, synced";
const PI = "pi JSONL session";
const PICO3 = "pico3";
const PICO3_UNSYNCED = "pico3, fsync off";

export const SUBJECTS = [SPILLWAY, PICO3, PICO3_UNSYNCED, PI, WHOLE_VALUE_SYNCED, WHOLE_VALUE];
/** Those that need nothing but this repository. */
export const OWN_SUBJECTS = [SPILLWAY, WHOLE_VALUE_SYNCED, WHOLE_VALUE];
