import { existsSync, readFileSync } from "node:fs";
import type { ToolEntry } from "../../../src/protocol/index.js";
import { outputOf, readCommand } from "../commands.js";
import type { CommandPlan } from "../commands.js";
import { fingerprint } from "../fingerprint.js";
import type { Check } from "./checks.js";
import { noticeOf, notesOf, textOf, toolEntriesOf } from "./evidence.js";
import type { Evidence } from "./evidence.js";

/** What becomes of single calls. */
export const callChecks: readonly Check[] = [
  {
    rule: "H2",
    claim: "what was spawned had been noted before",
    find: ({ lanes, marks }) =>
      [...lanes.values()].flatMap(({ unsettled }) =>
        (unsettled?.calls ?? [])
          .filter(({ args, memos }) => {
            const plan = planOf(args);
            const isNoted = [...memos.keys()].some((name) => name.startsWith("execution:"));
            return plan !== undefined && marks.has(plan.tag) && !isNoted;
          })
          .map(({ toolCallId }) => `call ${toolCallId} ran and has no note of its execution`),
      ),
  },
  {
    rule: "H3",
    claim: "nothing is run twice that does not say that it can be",
    find: ({ marks }) =>
      [...marks]
        .filter(([, left]) => left.filter((mark) => mark === "run").length > 1)
        .map(([tag, left]) => `${tag} was run ${left.length} times`),
  },
  {
    rule: "H3",
    claim: "an interrupted call says that its effects may exist, and keeps a part of its output",
    find: (evidence) =>
      toolEntriesOf(evidence).flatMap((entry) => {
        if (entry.stopped !== "interrupted") return [];
        const says = /effects may exist|had no effects/.test(noticeOf(entry));
        const plan = planOf(entry.args);
        const isPart = plan === undefined || outputOf(plan).includes(textOf(entry));
        return [
          ...(says ? [] : [`call ${entry.toolCallId} says "${noticeOf(entry)}"`]),
          ...(isPart ? [] : [`call ${entry.toolCallId} has text that its command never printed`]),
        ];
      }),
  },
  {
    rule: "H3",
    claim: "a call that ended by itself was run, and its text, totals and spill are those of its command",
    find: (evidence) => toolEntriesOf(evidence).flatMap((entry) => findOutputFaults(evidence, entry)),
  },
  {
    rule: "H4",
    claim: "the model was told what is stored",
    find: (evidence) => {
      const stored = new Map(toolEntriesOf(evidence).map((entry) => [entry.toolCallId, entry]));
      return notesOf(evidence, "asked").flatMap(({ call, content }) => {
        const entry = stored.get(call);
        // A lane that was forked before the result has none, and its model is told so.
        if (isWithoutResult(evidence, call)) return [];
        if (entry === undefined) return [`the model was told of call ${call}, which is not stored`];
        return fingerprint(entry.output.content) === content
          ? []
          : [`the model was told something else of call ${call}`];
      });
    },
  },
  {
    rule: "H8",
    claim: "a command in an exec host that lives is followed to its end",
    find: (evidence) =>
      evidence.hostWasKilled
        ? []
        : toolEntriesOf(evidence)
            // What was noted and never asked of the host cannot be taken up.
            .filter(({ args, stopped }) => stopped === "interrupted" && evidence.marks.has(planOf(args)?.tag ?? ""))
            .map((entry) => `call ${entry.toolCallId} was interrupted: ${noticeOf(entry)}`),
  },
  {
    rule: "H9",
    claim: "a program's own call has an entry in the end",
    find: (evidence) => {
      if (!evidence.isLast) return [];
      const stored = new Set(toolEntriesOf(evidence).map(({ toolCallId }) => toolCallId));
      return notesOf(evidence, "called")
        .filter(({ call }) => !stored.has(call))
        .map(({ call }) => `call ${call} has none`);
    },
  },
  {
    rule: "H28",
    claim: "what was asked about runs only after it was allowed, and a decision that was acknowledged stands",
    find: (evidence) => [...findEarlyRuns(evidence), ...findLostDecisions(evidence)],
  },
  {
    rule: "H40",
    claim: "a note that was given is not made again",
    find: ({ marks }) =>
      [...marks]
        .filter(([, left]) => left.lastIndexOf("made") > left.indexOf("given") && left.includes("given"))
        .map(([tag]) => `${tag} was made after it had been given`),
  },
];

function planOf(args: unknown): CommandPlan | undefined {
  const command: unknown = typeof args === "object" && args !== null ? Reflect.get(args, "command") : undefined;
  return typeof command === "string" ? readCommand(command) : undefined;
}

function tagOf(args: unknown): string {
  const tag: unknown = typeof args === "object" && args !== null ? Reflect.get(args, "tag") : undefined;
  return typeof tag === "string" ? tag : "";
}

/** Whether some lane holds the call and not its result. */
function isWithoutResult({ lanes }: Evidence, call: string): boolean {
  return [...lanes.values()].some(({ transcript }) => {
    const isCalled = transcript.some(
      (entry) =>
        entry.type === "assistant" &&
        entry.message.content.some((part) => part.type === "toolCall" && part.toolCallId === call),
    );
    return isCalled && !transcript.some((entry) => entry.type === "tool" && entry.toolCallId === call);
  });
}

function findOutputFaults(evidence: Evidence, entry: ToolEntry): readonly string[] {
  const { marks, hostWasKilled } = evidence;
  const plan = planOf(entry.args);
  if (plan === undefined || entry.stopped !== undefined) return [];
  const notice = noticeOf(entry);
  const isDone = plan.exitCode === 0 ? !entry.isError : notice.endsWith(`Command exited with code ${plan.exitCode}`);
  // Where its host was killed under it, or its process as it was stopping it, it says so, whatever the words.
  const wasStopped = notesOf(evidence, "aborting").some(({ operation }) => operation === entry.operationId);
  if (!isDone && (hostWasKilled || wasStopped)) return [];
  const faults: string[] = [];
  const check = (isRight: boolean, fault: string): void =>
    void (isRight || faults.push(`call ${entry.toolCallId} (${plan.tag}): ${fault}`));
  const whole = outputOf(plan);
  const text = textOf(entry);
  check(isDone, `it ended with "${notice}"`);
  check(marks.has(plan.tag), "it has a result and was never run");
  check(text !== "" && whole.endsWith(text), `its text is no end of its output: ${JSON.stringify(text.slice(0, 80))}`);
  check(entry.output.truncation.totalBytes === Buffer.byteLength(whole), "its total is wrong");
  check(text === whole || entry.output.truncation.truncated, "text is missing that was not dropped");
  const spill = spillOf(entry);
  if (spill !== undefined) {
    check(existsSync(spill) && readFileSync(spill, "utf8") === whole, "its spill is not its output");
  }
  check(text === whole || spill !== undefined, "text was dropped and there is no spill");
  return faults;
}

function spillOf({ output: { details } }: ToolEntry): string | undefined {
  const path: unknown = typeof details === "object" && details !== null ? Reflect.get(details, "spillPath") : undefined;
  return typeof path === "string" ? path : undefined;
}

function findEarlyRuns(evidence: Evidence): readonly string[] {
  const { lanes, marks } = evidence;
  const denied = toolEntriesOf(evidence).filter(({ approval }) => approval?.decision === "deny");
  const waiting = [...lanes.values()].flatMap(({ unsettled }) => unsettled?.calls ?? []);
  const early = [...denied, ...waiting.filter(({ pendingApproval }) => pendingApproval !== undefined)];
  return early
    .filter(({ args }) => marks.has(tagOf(args)))
    .map(({ toolCallId }) => `call ${toolCallId} was run and not allowed`);
}

function findLostDecisions(evidence: Evidence): readonly string[] {
  const stored = new Map(toolEntriesOf(evidence).map(({ toolCallId, approval }) => [toolCallId, approval?.decision]));
  for (const { unsettled } of evidence.lanes.values()) {
    for (const { toolCallId, approval } of unsettled?.approvals ?? []) {
      if (!stored.has(toolCallId)) stored.set(toolCallId, approval?.decision);
    }
  }
  return notesOf(evidence, "decided")
    .filter(({ call, decision }) => stored.get(call) !== decision)
    .map(({ call, decision }) => `call ${call}: ${decision} was acknowledged, stored is ${stored.get(call) ?? "none"}`);
}
