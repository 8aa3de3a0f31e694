import { appendText, apply, decoder, encoder, slideText, track } from "../../dist/spillway/delta/index.js";
import { enter, mutatePlainly, mutateStructure } from "../edits.mjs";
import { at } from "./subject.mjs";

/** @type {import("./subject.mjs").Subject} */
export const spillwayStated = { name: "spillway stated", open: (initial, options) => open(initial, options, state) };

/** @type {import("./subject.mjs").Subject} */
export const spillwayPlain = {
  name: "spillway plain",
  open: (initial, options) => open(initial, options, mutatePlainly),
};

/**
 * @param {any} initial
 * @param {import("./subject.mjs").OpenOptions | undefined} options
 * @param {(state: any, edit: import("../edits.mjs").Edit) => void} mutate
 * @returns {import("./subject.mjs").Replication}
 */
function open(initial, options, mutate) {
  const tracker = track(initial);
  const encoding = encoder();
  const decoding = decoder();
  /** @type {any} */
  let copy = apply(undefined, decoding.decode(JSON.parse(JSON.stringify(encoding.encode(tracker.flush())))));
  const replication = {
    consume: (/** @type {string} */ message) => {
      copy = apply(copy, decoding.decode(JSON.parse(message)));
    },
    value: () => tracker.snapshot(),
    copy: () => copy,
  };
  const send = () => JSON.stringify(encoding.encode(tracker.flush()));
  const { fold } = options ?? {};
  if (fold === undefined) {
    return {
      ...replication,
      prepare: (edit) => edit,
      produce(edit) {
        mutate(tracker.state, edit);
        return send();
      },
    };
  }
  const source = track(at(initial, fold));
  source.flush();
  return {
    ...replication,
    prepare(edit) {
      mutate(source.state, edit);
      return source.flush();
    },
    produce(ops) {
      apply(at(tracker.state, fold), ops);
      return send();
    },
  };
}

/**
 * States what is done to a text; the rest is plain.
 *
 * @param {any} root
 * @param {import("../edits.mjs").Edit} edit
 */
function state(root, edit) {
  for (const action of edit) {
    const parent = enter(root, action.path);
    const key = action.path[action.path.length - 1] ?? "";
    if (action.verb === "append") appendText(parent, key, action.text);
    else if (action.verb === "slide") slideText(parent, key, action.drop, action.text);
    else mutateStructure(parent, key, action);
  }
}
