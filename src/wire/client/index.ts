export { createConsumer } from "./consumer.js";
export type { Change, ChangeListener, Consumer, ConsumerCounters, ConsumerOptions } from "./consumer.js";
export { ConsumerError } from "./errors.js";
export type { ConsumerErrorCode } from "./errors.js";
