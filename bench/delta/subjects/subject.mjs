/**
 * One way to bring changes of a state to a copy of it. `produce` and `consume` are timed, nothing else is.
 *
 * @typedef {object} Subject
 * @property {string} name
 * @property {(initial: any, options?: OpenOptions) => Replication} open The first copy is made here.
 *
 * @typedef {object} OpenOptions
 * @property {import("../edits.mjs").Path} [fold] Where in `initial` an output stands whose own changes come from a second
 *   state of the same kind: `prepare` makes the edit there, and `produce` is handed what that gives in process.
 *
 * @typedef {object} Replication
 * @property {(edit: import("../edits.mjs").Edit) => any} prepare Turns an edit into what `produce` is handed.
 * @property {(prepared: any) => string | Uint8Array} produce Makes the edit and gives what is sent for it.
 * @property {(message: any) => void} consume
 * @property {() => unknown} value The state.
 * @property {() => unknown} copy What the consumer has of it.
 */

/**
 * What stands at a path.
 *
 * @param {any} state
 * @param {import("../edits.mjs").Path} path
 */
export function at(state, path) {
  return path.reduce((place, key) => place[key], state);
}
