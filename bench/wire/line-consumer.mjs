// A process with the consumer of the line cases.
import { existsSync } from "node:fs";
import { follow } from "../dist/spillway/wire/client/index.js";
import { connectToStream } from "../dist/spillway/wire/index.js";
import { answerParent, childInput } from "../lib/children.mjs";
import { nowMicros, readTimeMarks } from "../lib/monotonic.mjs";
import { quantile } from "../lib/statistics.mjs";
import { waitUntil } from "./pace.mjs";
import { FACET_PATH, TOKEN } from "./played-lane.mjs";

/** @type {{ socketPath: string }} */
const { socketPath } = childInput();
/** @type {Map<number, number>} µs from a line's print to its first arrival, by the time of its print. */
const latencies = new Map();

await waitUntil(() => existsSync(socketPath), "the socket");
const following = follow({ connect: () => connectToStream({ socketPath, token: TOKEN }, FACET_PATH) });
following.consumer.onChange(({ batch }) => {
  const now = nowMicros();
  for (const printedAt of readTimeMarks(JSON.stringify(batch))) {
    if (!latencies.has(printedAt)) latencies.set(printedAt, now - printedAt);
  }
});
await following.ended;
const sorted = [...latencies.values()];
answerParent({ lines: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) });
