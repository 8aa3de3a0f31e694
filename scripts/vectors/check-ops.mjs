import { deepStrictEqual } from "node:assert";
import { apply } from "../../dist/delta/index.js";
import { clone, refusalOf } from "./outcome.mjs";

/** `{name, before?, batch | batchText, after | error}` */
export function checkOps({ before, batch, batchText, after, error }) {
  const value = clone(before);
  const ops = batchText === undefined ? clone(batch) : JSON.parse(batchText);
  if (error === undefined) {
    deepStrictEqual(clone(apply(value, ops)), clone(after));
  } else {
    deepStrictEqual(
      refusalOf(() => apply(value, ops)),
      error,
    );
    deepStrictEqual(value, clone(before));
  }
}
