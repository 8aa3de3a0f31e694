import { mutatePlainly } from "../edits.mjs";
import { at } from "./subject.mjs";

/**
 * The whole state each time.
 *
 * @type {import("./subject.mjs").Subject}
 */
export const snapshot = {
  name: "snapshot",
  open(initial, { fold } = {}) {
    const state = structuredClone(initial);
    const changed = fold === undefined ? state : at(state, fold);
    let copy = structuredClone(initial);
    return {
      prepare: (edit) => edit,
      produce(edit) {
        mutatePlainly(changed, edit);
        return JSON.stringify(state);
      },
      consume(message) {
        copy = JSON.parse(message);
      },
      value: () => state,
      copy: () => copy,
    };
  },
};
