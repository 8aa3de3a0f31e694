import { expect, test } from "vitest";
import type { ChatState, ChatToolRow } from "../../facet/index.js";
import type { CallDecision } from "../../wire/index.js";
import { ManualClock } from "../fixtures/clock.js";
import { createApprovalPrompt } from "./approval-prompt.js";
import type { ApprovalPrompt } from "./approval-prompt.js";

interface Stage {
  readonly prompt: ApprovalPrompt;
  readonly said: string[];
  readonly decisions: (readonly [string, CallDecision])[];
  /** Whether keys are read. */
  readonly isListening: () => boolean;
  /** Presses a key, after the question could be read. */
  readonly press: (key: string, afterMs?: number) => void;
  /** What deciding comes to. */
  outcome: Promise<void>;
}

function open({ hasKeys = true } = {}): Stage {
  let listener: ((key: string) => void) | undefined;
  const clock = new ManualClock();
  const stage: Stage = {
    said: [],
    decisions: [],
    outcome: Promise.resolve(),
    isListening: () => listener !== undefined,
    press(key, afterMs = 1_000) {
      clock.pass(afterMs);
      listener?.(key);
    },
    prompt: createApprovalPrompt({
      session: "s_1",
      say: (text) => stage.said.push(text),
      decide(call, decision) {
        stage.decisions.push([call, decision]);
        return stage.outcome;
      },
      listen: hasKeys ? (onKey) => ((listener = onKey), () => (listener = undefined)) : undefined,
      clock,
    }),
  };
  return stage;
}

function row(call: string, more: Partial<ChatToolRow> = {}): ChatToolRow {
  const pendingApproval = more.state === undefined ? { pendingApproval: { at: 1 } } : {};
  const start = { type: "tool", operationId: "op_1", toolCallId: call, toolName: "bash" } as const;
  return { ...start, args: { command: `run ${call}` }, state: "waiting", ...pendingApproval, ...more };
}

const chat = (...rows: ChatToolRow[]): ChatState => ({ earlier: 0, rows, operation: { id: "op_1", state: "running" } });
const decided = (decision: "allow" | "deny"): Partial<ChatToolRow> => ({
  state: "running",
  approval: { decision, at: 1 },
});

test("[R29] calls are asked about one at a time, and a key decides about the one that is asked about", () => {
  const { prompt, said, decisions, press, isListening } = open();
  prompt.follow(chat(row("call_1"), row("call_2")));
  prompt.follow(chat(row("call_1"), row("call_2")));
  expect(said).toEqual([expect.stringMatching(/^bash waits for approval \(call_1\)\n {2}\$ run call_1\n {2}y allow/)]);

  press("a");
  press("n");
  expect(decisions).toEqual([["call_1", { decision: "allow", always: true }]]);
  expect(isListening()).toBe(false);
  prompt.follow(chat(row("call_1", decided("allow")), row("call_2")));
  press("n");

  expect(said.slice(1)).toEqual(["bash is allowed (call_1)", expect.stringContaining("$ run call_2")]);
  expect(decisions.slice(1)).toEqual([["call_2", { decision: "deny" }]]);
});

test("[R29] a key that came before the question could be read, and any other key, decides nothing", () => {
  const { prompt, press, decisions } = open();
  prompt.follow(chat(row("call_1")));

  press("y", 299);
  for (const key of ["Y", "q", "\r", " "]) press(key);

  expect(decisions).toEqual([]);
});

test("[R29] what was decided elsewhere is told, and its keys are not read any more", () => {
  const { prompt, said, press, decisions, isListening } = open();
  prompt.follow(chat(row("call_1")));

  prompt.follow(chat(row("call_1", decided("deny"))));
  press("y");

  expect(said[1]).toBe("bash is denied, not from here (call_1)");
  expect([isListening(), decisions]).toEqual([false, []]);
});

test("[R29] a decision that could not be made is said, and the question stands", async () => {
  const stage = open();
  stage.outcome = Promise.reject(new Error("no answer"));
  stage.prompt.follow(chat(row("call_1")));

  stage.press("y");
  await expect.poll(() => stage.said[1]).toBe("this could not be decided: no answer");
  stage.outcome = Promise.resolve();
  stage.press("y");

  expect(stage.decisions).toHaveLength(2);
});

test("[R29] the terminal is given back while the process is suspended, and for good when it is over", () => {
  const { prompt, isListening, said } = open();
  prompt.follow(chat(row("call_1")));

  prompt.suspend();
  expect(isListening()).toBe(false);
  prompt.resume();
  expect(isListening()).toBe(true);
  prompt.abandon();
  prompt.resume();
  prompt.follow(chat(row("call_2")));

  expect([isListening(), said.length]).toEqual([false, 1]);
});

test("[R29] where nobody can press a key, the command that decides is named, and where all can be read", () => {
  const { prompt, said } = open({ hasKeys: false });

  prompt.follow(chat(row("call_1", { argsCut: true, changedArgs: { command: "other" } })));

  expect(said[0]).toContain("$ other\n  in place of what the model stated:\n  $ run call_1\n");
  expect(said[0]).toContain("not all of the arguments are shown");
  expect(said[0]).toMatch(/all of it: spillway approve s_1\n {2}spillway approve s_1 call_1 \[--deny\]$/);
});
