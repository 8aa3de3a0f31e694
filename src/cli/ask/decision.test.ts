import { expect, test } from "vitest";
import { readDecision } from "./decision.js";

test.each([
  ["y", { decision: "allow" }],
  [" Yes ", { decision: "allow" }],
  ["a", { decision: "allow", always: true }],
  ["n", { decision: "deny" }],
  ["no", { decision: "deny" }],
  ["n use yarn", { decision: "deny", reason: "use yarn" }],
  ["No, not on main", { decision: "deny", reason: "not on main" }],
])("[R34] %j decides about a call", (line, decision) => {
  expect(readDecision(line)).toEqual(decision);
});

test.each(["nope", "yarn", "allow", "not now", "what does it do?"])("[R34] %j decides nothing", (line) => {
  expect(readDecision(line)).toBeUndefined();
});
