/**
 * An edit is data, so that every subject can make it in its own way: actions at paths, made one after the other before one
 * flush.
 *
 * @typedef {import("../dist/spillway/delta/index.js").Json} Json
 * @typedef {readonly (string | number)[]} Path
 *
 * @typedef {(
 *   | { verb: "append", path: Path, text: string }
 *   | { verb: "slide", path: Path, drop: number, text: string }
 *   | { verb: "set", path: Path, value: Json }
 *   | { verb: "push", path: Path, item: Json }
 *   | { verb: "splice", path: Path, index: number, remove: number, items: readonly Json[] }
 * )} Action
 *
 * @typedef {readonly Action[]} Edit
 */

/**
 * Makes an edit as a program does that knows of no tracker.
 *
 * @param {any} state
 * @param {Edit} edit
 */
export function mutatePlainly(state, edit) {
  for (const action of edit) {
    const { path } = action;
    const parent = enter(state, path);
    const key = path[path.length - 1] ?? "";
    switch (action.verb) {
      case "append":
        parent[key] += action.text;
        break;
      case "slide":
        parent[key] = parent[key].slice(action.drop) + action.text;
        break;
      default:
        mutateStructure(parent, key, action);
    }
  }
}

/**
 * The actions that are no text's.
 *
 * @param {any} parent
 * @param {string | number} key
 * @param {Exclude<Action, { verb: "append" | "slide" }>} action
 */
export function mutateStructure(parent, key, action) {
  if (action.verb === "set") parent[key] = action.value;
  else if (action.verb === "push") parent[key].push(action.item);
  else parent[key].splice(action.index, action.remove, ...action.items);
}

/**
 * The container of what a path names.
 *
 * @param {any} state
 * @param {Path} path
 */
export function enter(state, path) {
  let place = state;
  for (let depth = 0; depth < path.length - 1; depth += 1) place = place[path[depth] ?? ""];
  return place;
}
