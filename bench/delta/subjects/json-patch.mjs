import jsonpatch from "fast-json-patch";
import { mutatePlainly } from "../edits.mjs";
import { at } from "./subject.mjs";

/** @type {import("./subject.mjs").Subject} */
export const jsonPatch = {
  name: "fast-json-patch",
  open(initial, { fold } = {}) {
    const state = structuredClone(initial);
    const copy = structuredClone(initial);
    const observer = jsonpatch.observe(state);
    const source = fold === undefined ? undefined : structuredClone(at(initial, fold));
    const sourceObserver = source === undefined ? undefined : jsonpatch.observe(source);
    return {
      prepare(edit) {
        if (sourceObserver === undefined) return edit;
        mutatePlainly(source, edit);
        return jsonpatch.generate(sourceObserver);
      },
      produce(prepared) {
        if (fold === undefined) mutatePlainly(state, prepared);
        else jsonpatch.applyPatch(at(state, fold), prepared);
        return JSON.stringify(jsonpatch.generate(observer));
      },
      consume(message) {
        jsonpatch.applyPatch(copy, JSON.parse(message));
      },
      value: () => state,
      copy: () => copy,
    };
  },
};
