import { expect, test } from "vitest";
import { track } from "../delta/index.js";
import type { HarnessEvent } from "../protocol/index.js";
import { seededRandom, seedsOf } from "./fixtures/random.js";
import { emptyOutput, randomStep, SimulatedLane } from "./fixtures/simulated-lane.js";
import { emptyLaneView, foldLaneEvent, reduceLaneSnapshot } from "./index.js";
import type { LaneView } from "./index.js";

function follow(view: LaneView, group: readonly HarnessEvent[]): LaneView {
  for (const event of group) expect(foldLaneEvent(view, event), `${event.type} is placed`).toBe(true);
  return view;
}

test("[L2] an operation is null, then its message and its calls, then null again", () => {
  const lane = new SimulatedLane();
  const view = emptyLaneView();
  expect(view).toEqual({ transcript: [], operation: null });

  follow(view, lane.startOperation());
  follow(view, lane.startMessage());
  follow(view, lane.say("I will build."));
  expect(view.operation).toEqual({
    id: lane.operationId,
    message: { id: lane.message?.id, role: "assistant", state: { content: [{ type: "text", text: "I will build." }] } },
    tools: [],
  });

  follow(view, lane.endMessage("toolCalls"));
  const { id, group } = lane.startTool({ command: "make" });
  follow(view, group);
  expect(view.operation?.tools).toEqual([{ id, name: "bash", args: { command: "make" }, output: emptyOutput() }]);

  follow(view, lane.endTool(id));
  follow(view, lane.endOperation());
  expect(view.operation).toBeNull();
});

test("[E2] a call starts, is created by its base batch, changes by deltas, and ends", () => {
  const lane = new SimulatedLane();
  const view = follow(emptyLaneView(), lane.startOperation());
  const { id, group } = lane.startTool();
  const [start, base] = group;

  follow(view, start === undefined ? [] : [start]);
  expect(view.operation?.tools[0]?.output).toBeUndefined();
  follow(view, base === undefined ? [] : [base]);
  follow(view, lane.write(id, "cc -c a.c\n"));
  follow(view, lane.slide(id, 3, "done\n"));
  expect(view.operation?.tools[0]?.output?.content).toEqual([{ type: "text", text: "-c a.c\ndone\n" }]);

  follow(view, lane.rebase(id));
  follow(view, lane.endTool(id));
  expect(view.transcript).toEqual(lane.entries);
});

test("[L1] the end of a call moves its output into the transcript in the same event", () => {
  const lane = new SimulatedLane();
  const view = follow(emptyLaneView(), lane.startOperation());
  const { id, group } = lane.startTool();
  follow(view, group);
  follow(view, lane.write(id, "partial"));

  follow(view, lane.endTool(id, true, "interrupted"));

  expect(view.operation?.tools).toEqual([]);
  expect(view.transcript).toEqual(lane.entries);
  expect(view.transcript[0]).toMatchObject({ type: "tool", isError: true, stopped: "interrupted" });
});

test("[L1] the reducer returns nothing and mutates the view it is given", () => {
  const view = emptyLaneView();

  const returned: unknown = reduceLaneSnapshot(view, { type: "operation_start", operationId: "op_1", laneId: "main" });

  expect(returned).toBeUndefined();
  expect(view.operation).toEqual({ id: "op_1", tools: [] });
});

test("[L1] the state that events carry stays the emitter's", () => {
  const lane = new SimulatedLane();
  const view = follow(emptyLaneView(), lane.startOperation());
  const { id, group } = lane.startTool();
  follow(view, group);
  const before = structuredClone(group);

  follow(view, lane.write(id, "more"));

  expect(group).toEqual(before);
});

test("[L2] an operation that no process works on is taken up by its start, and then goes on", () => {
  const lane = new SimulatedLane();
  const start = lane.startOperation();
  const view = follow(emptyLaneView(), start);
  const { id, group } = lane.startTool();
  follow(view, group);
  if (view.operation !== null) view.operation.abandoned = true;

  expect(foldLaneEvent(view, { type: "operation_start", operationId: "op_other", laneId: "main" })).toBe(false);
  expect(view.operation?.abandoned).toBe(true);
  follow(view, start);
  expect(view.operation?.abandoned).toBeUndefined();
  follow(view, lane.write(id, "more"));
  expect(start.some((event) => foldLaneEvent(view, event))).toBe(false);
});

// What belongs to nothing known, or is not known at all.
const of = { operationId: "op_1", turnId: "turn_1" };
const call = { ...of, toolCallId: "call_run" };
const end = { entryId: "e_9", at: 9 };
const base = [["r", emptyOutput()]] as unknown as Extract<HarnessEvent, { type: "tool_update" }>["ops"];

const unplaceable: [string, HarnessEvent][] = [
  ["an update before its start", { type: "tool_update", ...of, toolCallId: "call_new", ops: base }],
  ["an update after its end", { type: "tool_update", ...of, toolCallId: "call_old", ops: [] }],
  ["an end before its start", { type: "tool_end", ...of, toolCallId: "call_new", isError: false, ...end }],
  ["an end before its base batch", { type: "tool_end", ...of, toolCallId: "call_bare", isError: false, ...end }],
  ["a delta before its base batch", { type: "tool_update", ...of, toolCallId: "call_bare", ops: [["d", ["x"]]] }],
  ["a second start of a call", { type: "tool_start", ...call, toolName: "bash", args: {} }],
  ["an update of another operation", { type: "tool_update", ...call, operationId: "op_0", ops: base }],
  ["ops that do not fit", { type: "tool_update", ...call, ops: [["a", ["content", 7, "text"], "x"]] }],
  [
    "ops of which the second does not fit",
    {
      type: "tool_update",
      ...call,
      ops: [
        ["a", ["content", 0, "text"], "lost"],
        ["t", ["content", 0, "text"], 1e6],
      ],
    },
  ],
  ["ops into a prototype", { type: "tool_update", ...call, ops: [["s", ["__proto__", "polluted"], 1]] }],
  ["an unknown verb", { type: "tool_update", ...call, ops: [["z", ["content"]]] } as unknown as HarnessEvent],
  ["a message's update without a message", { type: "message_update", ...of, messageId: "m_9", ops: base }],
  ["a message's end without a message", { type: "message_end", ...of, messageId: "m_9", stopReason: "end", ...end }],
  ["a second operation", { type: "operation_start", operationId: "op_2", laneId: "main" }],
  ["the end of another operation", { type: "operation_end", operationId: "op_0", status: "completed", usage: {} }],
  [
    "the end of an operation whose call runs",
    { type: "operation_end", operationId: "op_1", status: "completed", usage: {} },
  ],
  [
    "an entry that is there already",
    { type: "entry_added", entry: { type: "user", id: "e_1", operationId: "op_1", at: 1, text: "again" } },
  ],
  [
    "an entry of a call that still runs",
    {
      type: "entry_added",
      entry: {
        ...call,
        type: "tool",
        id: "e_9",
        at: 9,
        toolName: "bash",
        args: {},
        isError: true,
        output: emptyOutput(),
      },
    },
  ],
  ["an unknown type of event", { type: "sub_agent_started", ...of } as unknown as HarnessEvent],
];

function busyView(): LaneView {
  return {
    transcript: [{ type: "user", id: "e_1", operationId: "op_1", at: 1, text: "build" }],
    operation: {
      id: "op_1",
      tools: [
        { id: "call_run", name: "bash", args: {}, output: emptyOutput() },
        { id: "call_bare", name: "bash", args: {} },
      ],
    },
  };
}

test.each(unplaceable)("[L1] X25, X27, X29: %s changes nothing", (_name, event) => {
  const plain = busyView();
  const tracker = track(busyView());
  tracker.flush();

  expect(foldLaneEvent(plain, event)).toBe(false);
  expect(foldLaneEvent(tracker.state, event)).toBe(false);

  expect(plain).toEqual(busyView());
  expect(tracker.snapshot()).toEqual(busyView());
  expect(tracker.flush()).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("[L1] a withheld call takes updates without showing them, and its entry is told as one that is not held", () => {
  const view = busyView();
  view.operation?.tools.splice(0, 2, { id: "call_run", name: "write", args: null, withheld: true });

  follow(view, [{ type: "tool_update", ...call, ops: [["a", ["content", 0, "text"], "x"]] }]);
  follow(view, [{ type: "tool_end", ...call, isError: false, ...end }]);

  expect(view).toEqual({ transcript: [], operation: { id: "op_1", tools: [] }, earlier: 2 });
});

test("[L1] any sequence gives the stored entries and the running states, on a plain and on a tracked view alike", () => {
  for (const seed of seedsOf(process.env["CI"] === "true" ? 300 : 15)) {
    const random = seededRandom(seed);
    const lane = new SimulatedLane();
    const plain = emptyLaneView();
    const tracker = track(emptyLaneView());
    for (let step = 0; step < 120; step += 1) {
      const group = randomStep(lane, random);
      follow(plain, group);
      follow(tracker.state, group);
    }

    expect(plain, `seed ${seed}`).toEqual(expectedView(lane));
    expect(tracker.snapshot(), `seed ${seed}`).toEqual(plain);
  }
});

function expectedView(lane: SimulatedLane): LaneView {
  const usage = lane.usage !== undefined && { usage: lane.usage };
  if (lane.operationId === undefined) return { transcript: lane.entries, operation: null, ...usage };
  return {
    transcript: lane.entries,
    ...usage,
    operation: {
      id: lane.operationId,
      ...(lane.message !== undefined && {
        message: { id: lane.message.id, role: "assistant", state: lane.message.tracker.snapshot() },
      }),
      tools: [...lane.calls].map(([id, { toolName, args, tracker }]) => ({
        id,
        name: toolName,
        args,
        output: tracker.snapshot(),
      })),
    },
  };
}
