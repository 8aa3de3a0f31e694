import { spillwayStated } from "./spillway.mjs";

/**
 * What no subject of JSON can go below: `JSON.stringify` and `JSON.parse` of the bytes that spillway sends with stated
 * edits, and nothing else.
 *
 * @type {import("./subject.mjs").Subject}
 */
export const floor = {
  name: "floor",
  open(initial, options) {
    const replication = spillwayStated.open(initial, options);
    return {
      prepare(edit) {
        const message = replication.produce(replication.prepare(edit));
        replication.consume(message);
        return JSON.parse(String(message));
      },
      produce: (batch) => JSON.stringify(batch),
      consume(message) {
        JSON.parse(message);
      },
      value: replication.value,
      copy: replication.copy,
    };
  },
};
