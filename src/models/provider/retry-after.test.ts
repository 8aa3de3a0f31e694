import { expect, test } from "vitest";
import { readRetryAfter } from "./retry-after.js";

const NOW = Date.parse("2026-12-02T10:00:00Z");

test.each([
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after": "0.25" }, 250],
  [{ "retry-after": "Wed, 02 Dec 2026 10:01:00 GMT" }, 60_000],
  [{ "retry-after": "Wed, 02 Dec 2026 09:00:00 GMT" }, 0],
  [{ "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
  [{ "retry-after-ms": "soon", "retry-after": "9" }, 9_000],
  [{ "retry-after": "-1" }, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "2026" }, 2_026_000],
  [{ "retry-after": "1e9" }, undefined],
  [{}, undefined],
])("[M2] %j asks for %s ms", (headers, expected) => {
  expect(readRetryAfter(headers, NOW)).toBe(expected);
});
