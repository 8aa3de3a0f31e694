import { deepStrictEqual } from "node:assert";
import { createConsumer } from "../../dist/wire/client/index.js";
import { clone } from "./outcome.mjs";

/** `{name, steps: [{restart: true} | {message, value?, seq?, needsBase, error?}]}` */
export function checkMessages({ steps }) {
  const consumer = createConsumer();
  for (const { restart, message, value, seq, needsBase, error } of steps) {
    if (restart === true) {
      consumer.restart();
      continue;
    }
    consumer.receive(clone(message));
    deepStrictEqual(clone(consumer.value), clone(value));
    deepStrictEqual([consumer.seq, consumer.needsBase], [seq, needsBase]);
    if (error !== undefined) deepStrictEqual(consumer.error?.code, error);
  }
}
