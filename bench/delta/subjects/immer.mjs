import { applyPatches, enablePatches, produceWithPatches, setAutoFreeze } from "immer";
import { mutatePlainly } from "../edits.mjs";
import { at } from "./subject.mjs";

enablePatches();
// At its fastest: freezing is a help against mistakes, not part of the work.
setAutoFreeze(false);

/** @type {import("./subject.mjs").Subject} */
export const immer = {
  name: "immer",
  open(initial, { fold } = {}) {
    /** @type {object} */
    let state = structuredClone(initial);
    let copy = structuredClone(initial);
    /** @type {object | undefined} */
    let source = fold === undefined ? undefined : structuredClone(at(initial, fold));
    return {
      prepare(edit) {
        if (source === undefined) return edit;
        const [next, patches] = produceWithPatches(source, (/** @type {any} */ draft) => mutatePlainly(draft, edit));
        source = next;
        return patches;
      },
      produce(prepared) {
        const [next, patches] = produceWithPatches(state, (/** @type {any} */ draft) => {
          if (fold === undefined) mutatePlainly(draft, prepared);
          else applyPatches(at(draft, fold), prepared);
        });
        state = next;
        return JSON.stringify(patches);
      },
      consume(message) {
        copy = applyPatches(copy, JSON.parse(message));
      },
      value: () => state,
      copy: () => copy,
    };
  },
};
