import { apply, create } from "mutative";
import { mutatePlainly } from "../edits.mjs";
import { at } from "./subject.mjs";

const WITH_PATCHES = /** @type {const} */ ({ enablePatches: true });
// At its fastest: each patch by itself copies the array that it changes, which is quadratic for many.
const IN_PLACE = /** @type {const} */ ({ mutable: true });

/** @type {import("./subject.mjs").Subject} */
export const mutative = {
  name: "mutative",
  open(initial, { fold } = {}) {
    let state = structuredClone(initial);
    let copy = structuredClone(initial);
    let source = fold === undefined ? undefined : structuredClone(at(initial, fold));
    return {
      prepare(edit) {
        if (source === undefined) return edit;
        const [next, patches] = create(source, (draft) => mutatePlainly(draft, edit), WITH_PATCHES);
        source = next;
        return patches;
      },
      produce(prepared) {
        const change = (/** @type {any} */ draft) => {
          if (fold === undefined) mutatePlainly(draft, prepared);
          else apply(at(draft, fold), prepared);
        };
        const [next, patches] = create(state, change, WITH_PATCHES);
        state = next;
        return JSON.stringify(patches);
      },
      consume(message) {
        copy = apply(copy, JSON.parse(message), IN_PLACE) ?? copy;
      },
      value: () => state,
      copy: () => copy,
    };
  },
};
