import { mutatePlainly } from "../edits.mjs";
import { spillwayStated } from "./spillway.mjs";

/**
 * What no subject can go below that sends JSON and sees plain writes: `JSON.stringify` and `JSON.parse` of the bytes that spillway
 * sends with stated edits, and, where an edit is nothing but writes to fields, a proxy that passes each on and does nothing else.
 *
 * @type {import("./subject.mjs").Subject}
 */
export const floor = {
  name: "floor",
  open(initial, options) {
    const replication = spillwayStated.open(initial, options);
    const passing = passOn(initial);
    return {
      prepare(edit) {
        const message = replication.produce(replication.prepare(edit));
        replication.consume(message);
        return { batch: JSON.parse(String(message)), writes: edit.every(({ verb }) => verb === "set") ? edit : [] };
      },
      produce({ batch, writes }) {
        mutatePlainly(passing, writes);
        return JSON.stringify(batch);
      },
      consume(message) {
        JSON.parse(message);
      },
      value: replication.value,
      copy: replication.copy,
    };
  },
};

/**
 * A copy behind proxies that do nothing.
 *
 * @param {any} value
 * @returns {any}
 */
function passOn(value) {
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, passOn(part)]);
  return new Proxy(Object.assign(Array.isArray(value) ? [] : {}, Object.fromEntries(parts)), {
    get: (target, key) => target[key],
    set: (target, key, written) => {
      target[key] = written;
      return true;
    },
  });
}
