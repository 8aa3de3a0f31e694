import * as Y from "yjs";

/**
 * Yjs with its own calls: a text is a `Y.Text` that is deleted from and inserted into, and what is sent is the update of
 * one transaction, which is bytes.
 *
 * @type {import("./subject.mjs").Subject}
 */
export const yjs = {
  name: "yjs",
  open(initial, { fold } = {}) {
    const source = new Y.Doc();
    const copy = new Y.Doc();
    /** @type {Uint8Array} */
    let update = new Uint8Array();
    source.on("update", (/** @type {Uint8Array} */ bytes) => (update = bytes));
    const state = source.getMap("state");
    source.transact(() => {
      for (const [key, value] of Object.entries(initial)) state.set(key, toShared(value));
    });
    Y.applyUpdate(copy, update);
    const base = fold ?? [];
    return {
      // A document relays what it is sent; there is no second fold. The same calls at the place in the view stand for it.
      prepare: (edit) => edit.map((action) => ({ ...action, path: [...base, ...action.path] })),
      produce(edit) {
        source.transact(() => perform(state, edit));
        return update;
      },
      consume: (message) => Y.applyUpdate(copy, message),
      value: () => state.toJSON(),
      copy: () => copy.getMap("state").toJSON(),
    };
  },
};

/**
 * @param {any} value
 * @returns {any}
 */
function toShared(value, key = "") {
  if (key === "text") return new Y.Text(value);
  if (Array.isArray(value)) return Y.Array.from(value.map((item) => toShared(item)));
  if (typeof value !== "object" || value === null) return value;
  return new Y.Map(Object.entries(value).map(([name, item]) => [name, toShared(item, name)]));
}

/**
 * @param {Y.Map<any>} state
 * @param {import("../edits.mjs").Edit} edit
 */
function perform(state, edit) {
  for (const action of edit) {
    /** @type {any} */
    let target = state;
    const depth = action.verb === "set" ? action.path.length - 1 : action.path.length;
    for (let index = 0; index < depth; index += 1) target = target.get(action.path[index]);
    switch (action.verb) {
      case "append":
        target.insert(target.length, action.text);
        break;
      case "slide":
        target.delete(0, action.drop);
        target.insert(target.length, action.text);
        break;
      case "set":
        target.set(action.path.at(-1), toShared(action.value));
        break;
      case "push":
        target.push([toShared(action.item)]);
        break;
      case "splice":
        target.delete(action.index, action.remove);
        if (action.items.length > 0)
          target.insert(
            action.index,
            action.items.map((item) => toShared(item)),
          );
        break;
    }
  }
}
