import { expect, test } from "vitest";
import type { StoredLane } from "../../../src/harness/index.js";
import type { AssistantEntry, ToolEntry, UserEntry } from "../../../src/protocol/index.js";
import { commandText, outputOf } from "../commands.js";
import { fingerprint } from "../fingerprint.js";
import { planText } from "../plan.js";
import type { Plan } from "../plan.js";
import { worldAt } from "../world.js";
import type { Note } from "../world.js";
import { findViolations } from "./checks.js";
import type { Evidence } from "./evidence.js";

// What the soak's checks find, each in a session in which one thing is wrong.

const world = worldAt("/nowhere");
const command = { tag: "t", blocks: 1, linesEach: 2, pauseMs: 1, exitCode: 0, leaves: false };
const args = { command: commandText(world, command) };
const plan: Plan = {
  id: "p",
  ends: "completed",
  script: { version: 1, turns: [[{ type: "toolCall", name: "bash", args }], [{ type: "text", text: "done" }]] },
};
const user: UserEntry = { type: "user", id: "e1", operationId: "op", at: 1, text: planText(plan) };
const asking: AssistantEntry = {
  type: "assistant",
  id: "e2",
  operationId: "op",
  at: 2,
  message: {
    content: [{ type: "toolCall", toolCallId: "c1", name: "bash", input: JSON.stringify(args), args }],
    usage: { inputTokens: 10 },
  },
  stopReason: "toolCalls",
};
const text = outputOf(command);
const result: ToolEntry = {
  type: "tool",
  id: "e3",
  operationId: "op",
  at: 3,
  toolCallId: "c1",
  toolName: "bash",
  args,
  isError: false,
  output: {
    content: [{ type: "text", text }],
    details: {},
    terminate: false,
    truncation: {
      truncated: false,
      truncatedBy: null,
      totalLines: 3,
      totalBytes: Buffer.byteLength(text),
      maxLines: 2_000,
      maxBytes: 51_200,
    },
  },
};
const done: AssistantEntry = {
  type: "assistant",
  id: "e4",
  operationId: "op",
  at: 4,
  message: { content: [{ type: "text", text: "done" }], usage: { inputTokens: 10 } },
  stopReason: "end",
};
const main: StoredLane = {
  transcript: [user, asking, result, done],
  record: { id: "op", startedAt: 1, status: "completed", usage: { inputTokens: 20 } },
  queue: [],
  origin: undefined,
  unsettled: undefined,
};
const sight = { life: 0, lane: "main", facet: "chat", seq: 4, value: "v" };
const good: Evidence = {
  world,
  life: 0,
  isLast: true,
  hostWasKilled: false,
  before: { main: "view" },
  lanes: new Map([["main", main]]),
  liveScopes: [],
  pending: new Map(),
  files: ["soak.jsonl", "soak.lock", "soak.jsonl.cut-1"],
  notes: [
    { type: "opened", life: 0, views: { main: "view" }, policy: "asks" },
    { type: "prompted", lane: "main", operation: "op", plan: "p" },
    { type: "told", lane: "main", entry: "e3" },
    { type: "asked", call: "c1", content: fingerprint(result.output.content) },
    { type: "aborted", operation: "op", ms: 20 },
  ],
  marks: new Map([
    ["t", ["run"]],
    ["s.0", ["made", "given", "given"]],
  ]),
  hostSights: [sight],
  viewerSights: [sight],
};

const withNotes = (...notes: readonly Note[]): Evidence => ({ ...good, notes: [...good.notes, ...notes] });
const withLane = (change: Partial<StoredLane>): Evidence => ({
  ...good,
  lanes: new Map([["main", { ...main, ...change }]]),
});
const withResult = (change: Partial<ToolEntry>): Evidence =>
  withLane({ transcript: [user, asking, { ...result, ...change }, done] });
const running = {
  id: "op",
  startedAt: 1,
  isDirect: false,
  approvals: [],
  calls: [{ toolCallId: "c1", toolName: "bash", args, memos: new Map() }],
};

test("what is as it should be breaks no rule", () => {
  expect(findViolations(good)).toEqual([]);
});

const faults: readonly (readonly [rule: string, what: string, evidence: Evidence])[] = [
  ["H1", "a lane is opened as something else", { ...good, before: { main: "other" } }],
  [
    "H2",
    "a command without a note",
    { ...withLane({ unsettled: running, transcript: [user, asking] }), isLast: false },
  ],
  ["H3", "a command that was run twice", { ...good, marks: new Map([["t", ["run", "run"]]]) }],
  ["H3", "an interrupted call that says nothing", withResult({ stopped: "interrupted" })],
  ["H3", "a result without a run", { ...good, marks: new Map() }],
  [
    "H3",
    "text that is not the command's",
    withResult({ output: { ...result.output, content: [{ type: "text", text: "1\n3\n" }] } }),
  ],
  ["H4", "a model that was told something else", withNotes({ type: "asked", call: "c1", content: "other" })],
  ["H5", "a scope that outlives its operation", { ...good, liveScopes: ["op"] }],
  ["H5", "a sidecar that was left", { ...good, files: ["soak.jsonl", "soak.op.jsonl"] }],
  ["H6", "an abort that takes long", withNotes({ type: "aborted", operation: "op", ms: 31_000 })],
  ["H6", "two results of a call", withLane({ transcript: [user, asking, result, { ...result, id: "e9" }, done] })],
  ["H7", "a pending output of many elements", { ...good, pending: new Map([["tool/c1/output", 65]]) }],
  ["H8", "a command that was lost while its host lived", withResult({ stopped: "interrupted" })],
  ["H9", "a program's call without an entry", withNotes({ type: "called", lane: "calls", call: "c7" })],
  ["H21", "an answer with the words of two tries", withLane({ transcript: [user, asking, result, sayTwice()] })],
  ["H24", "a sum that is wrong", withLane({ record: { ...main.record, usage: { inputTokens: 30 } } as never })],
  ["H26", "a message that is lost", withNotes({ type: "queued", lane: "main", id: "m1" })],
  ["H28", "a decision that is lost", withNotes({ type: "decided", call: "c1", decision: "allow" })],
  ["H29", "another policy", withNotes({ type: "opened", life: 1, views: { main: "view" }, policy: "allows" })],
  [
    "H33",
    "a fork that begins with something else",
    withNotes({ type: "forked", from: "side", to: "main", entry: "e2", prefix: "other" }),
  ],
  ["H34", "an operation that is lost", withNotes({ type: "prompted", lane: "main", operation: "op2", plan: "p2" })],
  ["H34", "an operation that goes on", withLane({ unsettled: running })],
  ["H34", "an operation that failed", withLane({ record: { id: "op", startedAt: 1, status: "failed" } })],
  ["H40", "a note that was made again", { ...good, marks: new Map([["s.0", ["made", "given", "made"]]]) }],
  ["E2", "an entry that was told and is not stored", withNotes({ type: "told", lane: "main", entry: "e9" })],
  ["E3", "what the process saw itself", withNotes({ type: "violation", rule: "E3", place: "lane main" })],
  ["C2", "a viewer with another value", { ...good, viewerSights: [{ ...sight, value: "w" }] }],
  ["C2", "a viewer where the host never was", { ...good, viewerSights: [{ ...sight, seq: 8 }] }],
];

test.each(faults)("a breach of %s is found: %s", (rule, _what, evidence) => {
  expect(findViolations(evidence).map((violation) => violation.rule)).toContain(rule);
});

function sayTwice(): AssistantEntry {
  return { ...done, message: { ...done.message, content: [{ type: "text", text: "I begindone" }] } };
}
