import { apply, applyImmutable, decoder, encoder, track } from "@earendil-works/chord/delta";
import { mutatePlainly } from "../edits.mjs";
import { at } from "./subject.mjs";

/** @type {import("./subject.mjs").Subject} */
export const chord = {
  name: "chord",
  open(initial, { fold } = {}) {
    const tracker = track(structuredClone(initial));
    const encoding = encoder();
    const decoding = decoder();
    /** @type {any} */
    let copy = apply(undefined, decoding.decode(JSON.parse(JSON.stringify(encoding.encode(tracker.flush())))));
    const send = () => JSON.stringify(encoding.encode(tracker.flush()));
    const replication = {
      consume: (/** @type {string} */ message) => {
        copy = apply(copy, decoding.decode(JSON.parse(message)));
      },
      value: () => tracker.target,
      copy: () => copy,
    };
    if (fold === undefined) {
      return {
        ...replication,
        prepare: (edit) => edit,
        produce(edit) {
          mutatePlainly(tracker.state, edit);
          return send();
        },
      };
    }
    const source = track(structuredClone(at(initial, fold)));
    source.flush();
    return {
      ...replication,
      prepare(edit) {
        mutatePlainly(source.state, edit);
        return source.flush();
      },
      // Its `apply` refuses tracked state; what it offers is the comparison of a new value with the old one.
      produce(ops) {
        const parent = at(tracker.state, fold.slice(0, -1));
        parent[fold.at(-1) ?? ""] = applyImmutable(at(tracker.target, fold), ops);
        return send();
      },
    };
  },
};
