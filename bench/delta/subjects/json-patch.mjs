import library from "fast-json-patch";
import { mutatePlainly } from "../edits.mjs";
import { at } from "./subject.mjs";

const { applyPatch, generate, observe } = library;

/** @type {import("./subject.mjs").Subject} */
export const jsonPatch = {
  name: "fast-json-patch",
  open(initial, { fold } = {}) {
    const state = structuredClone(initial);
    const copy = structuredClone(initial);
    const observer = observe(state);
    const source = fold === undefined ? undefined : structuredClone(at(initial, fold));
    const sourceObserver = source === undefined ? undefined : observe(source);
    return {
      prepare(edit) {
        if (sourceObserver === undefined) return edit;
        mutatePlainly(source, edit);
        return generate(sourceObserver);
      },
      produce(prepared) {
        if (fold === undefined) mutatePlainly(state, prepared);
        else applyPatch(at(state, fold), prepared);
        return JSON.stringify(generate(observer));
      },
      consume(message) {
        applyPatch(copy, JSON.parse(message));
      },
      value: () => state,
      copy: () => copy,
    };
  },
};
