import { deepStrictEqual } from "node:assert";
import { createSseParser } from "../../dist/wire/client/index.js";

/** `{name, stream, events: [{type, data}]}`; the stream's UTF-8 bytes may be cut anywhere. */
export function checkEvents({ stream, events }) {
  const parser = createSseParser();
  const bytes = new TextEncoder().encode(stream);
  const seen = Array.from(bytes, (_, at) => parser.push(bytes.subarray(at, at + 1))).flat();
  deepStrictEqual(seen, events);
}
