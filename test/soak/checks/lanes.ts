import type { AssistantEntry, Entry } from "../../../src/protocol/index.js";
import { fingerprint } from "../fingerprint.js";
import { readPlan } from "../plan.js";
import type { Plan } from "../plan.js";
import type { Check } from "./checks.js";
import { entriesOf, notesOf } from "./evidence.js";
import type { Evidence } from "./evidence.js";

/** Ten times what an abort may take, for a machine that has much else to do. */
const ABORT_LIMIT_MS = 30_000;
/** As the harness's own default says. */
const MAX_ELEMENTS = 64;

/** What becomes of operations and lanes. */
export const laneChecks: readonly Check[] = [
  {
    rule: "H1",
    claim: "a session is opened as it was stored, and nothing is begun",
    find: (evidence) => {
      const opened = notesOf(evidence, "opened").find(({ life }) => life === evidence.life);
      if (opened === undefined) return [];
      return Object.keys({ ...opened.views, ...evidence.before })
        .filter((lane) => opened.views[lane] !== evidence.before[lane])
        .map((lane) => `lane ${lane} was opened as something else than was stored`);
    },
  },
  {
    rule: "H5",
    claim: "a scope lives as long as its operation, and no longer",
    find: ({ lanes, liveScopes, files, isLast, world }) => {
      const running = new Set([...lanes.values()].flatMap(({ unsettled }) => unsettled?.id ?? []));
      const expected = new RegExp(`^${world.session}\\.(jsonl|lock)$|\\.cut-\\d+$`);
      return [
        ...liveScopes.filter((id) => !running.has(id)).map((id) => `operation ${id} has settled and holds something`),
        ...files.filter((name) => isLast && !expected.test(name)).map((name) => `${name} was left`),
      ];
    },
  },
  {
    rule: "H6",
    claim: "an abort ends an operation soon",
    find: (evidence) =>
      notesOf(evidence, "aborted")
        .filter(({ ms }) => ms > ABORT_LIMIT_MS)
        .map(({ operation, ms }) => `operation ${operation} took ${Math.round(ms)} ms to stop`),
  },
  {
    rule: "H6",
    claim: "every call of every answer has at most one result, and exactly one once its operation has settled",
    find: (evidence) => [...evidence.lanes].flatMap(([lane, stored]) => findUnpaired(lane, stored)),
  },
  {
    rule: "H7",
    claim: "a pending output holds at most so many elements since its newest base",
    find: ({ pending }) =>
      [...pending].filter(([, count]) => count > MAX_ELEMENTS).map(([key, count]) => `${key} holds ${count} elements`),
  },
  {
    rule: "H21",
    claim: "an answer that was complete says what its last try said",
    find: (evidence) => [...evidence.lanes].flatMap(([lane, { transcript }]) => findWrongAnswers(lane, transcript)),
  },
  {
    rule: "H24",
    claim: "a settled operation's record adds up what its entries consumed",
    find: ({ lanes }) =>
      [...lanes].flatMap(([lane, { record, transcript }]) => {
        if (record?.usage === undefined || record.status === "running") return [];
        const own = transcript.filter(({ operationId }) => operationId === record.id);
        const tokens = own.reduce((sum, entry) => sum + inputTokensOf(entry), 0);
        const told = record.usage.inputTokens ?? 0;
        return told === tokens ? [] : [`lane ${lane}, operation ${record.id}: ${told} tokens, not ${tokens}`];
      }),
  },
  {
    rule: "H26",
    claim: "an acknowledged message waits or has joined, once; one that was withdrawn does neither",
    find: (evidence) => {
      const withdrawing = new Set(notesOf(evidence, "withdrawing").map(({ id }) => id));
      const withdrawn = new Set(notesOf(evidence, "withdrawn").map(({ id }) => id));
      return notesOf(evidence, "queued").flatMap(({ lane, id }) => {
        const { queue = [], transcript = [] } = evidence.lanes.get(lane) ?? {};
        const times = [...queue, ...transcript].filter((item) => item.id === id).length;
        const isRight = withdrawn.has(id) ? times === 0 : times === 1 || (times === 0 && withdrawing.has(id));
        return isRight ? [] : [`message ${id} of lane ${lane} is there ${times} times`];
      });
    },
  },
  {
    rule: "H29",
    claim: "the policy that was stored with a prompt is in force in every later life",
    find: (evidence) => {
      const [first, ...later] = notesOf(evidence, "opened");
      const second = evidence.notes.findIndex((note) => note.type === "opened" && note.life > 0);
      const prompted = evidence.notes.findIndex(({ type }) => type === "prompted" || type === "called");
      // What the first life stated and stored with no prompt is nobody's to find.
      if (first?.life !== 0 || prompted < 0 || prompted > second) return [];
      return later.filter(({ policy }) => policy !== first.policy).map(({ life }) => `life ${life} had another`);
    },
  },
  {
    rule: "H33",
    claim: "an acknowledged fork begins with what its lane held then",
    find: (evidence) =>
      notesOf(evidence, "forked").flatMap(({ to, from, entry, prefix }) => {
        const transcript = evidence.lanes.get(to)?.transcript;
        if (transcript === undefined) return [`lane ${to} is gone`];
        const end = transcript.findIndex(({ id }) => id === entry);
        const isSame = fingerprint(transcript.slice(0, end + 1)) === prefix;
        return isSame ? [] : [`lane ${to} does not begin as lane ${from} did at ${entry}`];
      }),
  },
  {
    rule: "E2",
    claim: "an entry is told only once it is stored",
    find: (evidence) => {
      const stored = new Set(entriesOf(evidence).map(({ id }) => id));
      return notesOf(evidence, "told")
        .filter(({ entry }) => !stored.has(entry))
        .map(({ lane, entry }) => `entry ${entry} of lane ${lane} was told and is not stored`);
    },
  },
  {
    rule: "H34",
    claim: "an operation that was accepted goes on to its own end",
    find: (evidence) => [...findLostPrompts(evidence), ...(evidence.isLast ? findUnfinished(evidence) : [])],
  },
];

function findUnpaired(
  lane: string,
  {
    transcript,
    unsettled,
  }: { readonly transcript: readonly Entry[]; readonly unsettled?: { readonly id: string } | undefined },
): readonly string[] {
  const results = transcript.flatMap((entry) => (entry.type === "tool" ? [entry.toolCallId] : []));
  const calls = transcript
    .filter((entry) => entry.type === "assistant")
    .flatMap(({ operationId, message }) =>
      message.content.flatMap((part) => (part.type === "toolCall" ? [{ operationId, id: part.toolCallId }] : [])),
    );
  // A lane that was forked in the middle of an answer's results never has the others.
  const isOwn = (operation: string): boolean => operation === transcript.at(-1)?.operationId;
  return calls.flatMap(({ id, operationId }) => {
    const times = results.filter((result) => result === id).length;
    const mayLack = operationId === unsettled?.id || isOwn(operationId) || isForkedAt(transcript, operationId);
    return times === 1 || (times === 0 && mayLack) ? [] : [`lane ${lane}, call ${id}: ${times} results`];
  });
}

/** Whether the operation was cut off by a fork: what follows it in the lane is of another one. */
function isForkedAt(transcript: readonly Entry[], operationId: string): boolean {
  const last = transcript.findLast((entry) => entry.operationId === operationId);
  return last?.type === "tool" || (last?.type === "assistant" && last.stopReason === "toolCalls");
}

function findWrongAnswers(lane: string, transcript: readonly Entry[]): readonly string[] {
  let plan: Plan | undefined;
  let turn = 0;
  return transcript.flatMap((entry) => {
    const found = entry.type === "user" ? readPlan(entry.text) : undefined;
    if (found !== undefined) {
      plan = found;
      turn = 0;
    }
    if (entry.type !== "assistant") return [];
    const steps = plan?.script.turns[turn];
    turn += 1;
    if (steps === undefined || !["end", "toolCalls"].includes(entry.stopReason)) return [];
    const said = steps.map((step) => (step.type === "text" ? step.text : "")).join("");
    const calls = steps.flatMap((step) => (step.type === "toolCall" ? [fingerprint(step.args)] : []));
    return said === textOf(entry) && calls.join() === callsOf(entry).join()
      ? []
      : [`lane ${lane}, answer ${entry.id} of ${plan?.id}: it is not turn ${turn}`];
  });
}

function textOf({ message }: AssistantEntry): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function callsOf({ message }: AssistantEntry): readonly string[] {
  return message.content.flatMap((part) => (part.type === "toolCall" ? [fingerprint(part.args)] : []));
}

function inputTokensOf(entry: Entry): number {
  if (entry.type === "assistant") return entry.message.usage?.inputTokens ?? 0;
  return entry.type === "tool" ? (entry.output.usage?.inputTokens ?? 0) : 0;
}

function findLostPrompts(evidence: Evidence): readonly string[] {
  const stored = new Set(entriesOf(evidence).map(({ operationId }) => operationId));
  return notesOf(evidence, "prompted")
    .filter(({ operation }) => !stored.has(operation))
    .map(({ lane, operation }) => `operation ${operation} of lane ${lane} was acknowledged and is not stored`);
}

function findUnfinished(evidence: Evidence): readonly string[] {
  const aborted = new Set(notesOf(evidence, "aborting").map(({ operation }) => operation));
  return [...evidence.lanes].flatMap(([lane, { record, unsettled, transcript }]) => {
    if (unsettled !== undefined) return [`lane ${lane} still has operation ${unsettled.id}`];
    if (record === undefined || aborted.has(record.id)) return [];
    const opening = transcript.find((entry) => entry.type === "user" && entry.operationId === record.id);
    const plan = opening?.type === "user" ? readPlan(opening.text) : undefined;
    return plan === undefined || record.status === plan.ends
      ? []
      : [
          `lane ${lane}, operation ${record.id} of ${plan.id}: ${record.status}, not ${plan.ends} (${record.reason ?? ""})`,
        ];
  });
}
