import { deepStrictEqual } from "node:assert";
import { apply, decoder } from "../../dist/delta/index.js";
import { clone, refusalOf } from "./outcome.mjs";

/** `{name, steps: [{wire, batch, after?} | {wire, error}]}` */
export function checkStream({ steps }) {
  const stream = decoder();
  let value;
  for (const { wire, batch, after, error } of steps) {
    if (error === undefined) {
      const decoded = stream.decode(clone(wire));
      deepStrictEqual(decoded, clone(batch));
      value = apply(value, decoded);
      if (after !== undefined) deepStrictEqual(clone(value), clone(after));
    } else {
      deepStrictEqual(
        refusalOf(() => stream.decode(clone(wire))),
        error,
      );
    }
  }
}
