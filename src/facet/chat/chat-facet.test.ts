import { expect, test } from "vitest";
import { track } from "../../delta/index.js";
import { seededRandom, seedsOf } from "../../lane/fixtures/random.js";
import { randomStep, SimulatedLane } from "../../lane/fixtures/simulated-lane.js";
import { emptyLaneView, reduceLaneSnapshot } from "../../lane/index.js";
import type { LaneView } from "../../lane/index.js";
import type { EventGroup, HarnessEvent, ImageBlock } from "../../protocol/index.js";
import { chatFacet, createChatFacet } from "../index.js";
import type { ChatRow, ChatState } from "../index.js";

/** The chat as its host folds it, beside the lane's view. */
class Stage {
  readonly lane = new SimulatedLane();
  readonly view: LaneView = emptyLaneView();
  readonly tracker = track(chatFacet.initial(this.view));
  readonly facet;

  constructor(facet = chatFacet) {
    this.facet = facet;
    this.tracker.flush();
  }

  /** Folds a group and gives the ops that fell out. */
  play(group: EventGroup): ReturnType<Stage["tracker"]["flush"]> {
    for (const event of group) {
      reduceLaneSnapshot(this.view, event);
      if (!this.facet.reduce(this.tracker.state, event)) throw new Error(`${event.type} was not placed`);
    }
    return this.tracker.flush();
  }

  get state(): ChatState {
    return this.tracker.snapshot();
  }
}

test("[F1] a prompt, an answer and its call are rows in the order in which they began", () => {
  const stage = new Stage();
  const { lane } = stage;
  stage.play(lane.startOperation());
  stage.play(lane.prompt("build it"));
  stage.play(lane.startMessage());
  stage.play(lane.say("On it."));
  stage.play(lane.endMessage("toolCalls"));
  const { id, group } = lane.startTool({ command: "make" });
  stage.play(group);
  stage.play(lane.write(id, "cc -c a.c\n"));

  expect(stage.state).toMatchObject({
    earlier: 0,
    operation: { id: lane.operationId, state: "running" },
    rows: [
      { type: "user", text: "build it", position: 0 },
      { type: "assistant", state: "done", message: { content: [{ type: "text", text: "On it." }] }, position: 1 },
      { type: "tool", state: "running", toolName: "bash", args: { command: "make" } },
    ],
  });
});

test("[F1] a call that ends changes its row in place and sends no text again", () => {
  const stage = new Stage();
  const { lane } = stage;
  stage.play(lane.startOperation());
  const { id, group } = lane.startTool();
  stage.play(group);
  stage.play(lane.write(id, "marker 4711\n".repeat(100)));

  const ops = stage.play(lane.endTool(id, true, "interrupted"));

  expect(JSON.stringify(ops)).not.toContain("4711");
  expect(JSON.stringify(ops).length).toBeLessThan(250);
  expect(stage.state.rows).toMatchObject([{ state: "interrupted", position: 0, entryId: lane.entries[0]?.id }]);
});

test.each([
  [false, undefined, "done"],
  [true, undefined, "failed"],
  [true, "aborted", "aborted"],
  [true, "interrupted", "interrupted"],
] as const)("[F1] a call that ends with isError %s and stopped %s is shown as %s %s", (isError, stopped, state) => {
  const stage = new Stage();
  stage.play(stage.lane.startOperation());
  const { id, group } = stage.lane.startTool();
  stage.play(group);

  stage.play(stage.lane.endTool(id, isError, stopped));

  expect(stage.state.rows[0]).toMatchObject({ state });
});

test.each([
  ["end", "done"],
  ["toolCalls", "done"],
  ["maxTokens", "done"],
  ["aborted", "aborted"],
  ["error", "failed"],
] as const)("[F1] a message that stops for %s is shown as %s", (stopReason, state) => {
  const stage = new Stage();
  stage.play(stage.lane.startOperation());
  stage.play(stage.lane.startMessage());

  stage.play(stage.lane.endMessage(stopReason));

  expect(stage.state.rows[0]).toMatchObject({ state, stopReason });
});

test("[F1] the end of an operation says how and why", () => {
  const stage = new Stage();
  const operationId = stage.lane.startOperation()[0];
  stage.play(operationId === undefined ? [] : [operationId]);

  stage.play(stage.lane.endOperation("aborted", "Ctrl-C"));

  expect(stage.state.operation).toMatchObject({ state: "aborted", reason: "Ctrl-C" });
});

test("[F1] bytes of images and details other than the spill are not in the chat, and ops into them do no harm", () => {
  const stage = new Stage();
  const { lane } = stage;
  stage.play(lane.startOperation());
  const { id, group } = lane.startTool();
  stage.play(group);
  const image: ImageBlock = { type: "image", mediaType: "image/png", data: "A".repeat(10_000) };

  stage.play(lane.editTool(id, (output) => output.content.push({ ...image })));
  stage.play(
    lane.editTool(id, (output) => (output.details = { diff: ["B".repeat(10_000)], spillPath: "/spill/1.log" })),
  );
  stage.play(lane.editTool(id, (output) => (output.details as { diff: string[] }).diff.push("C")));
  stage.play(lane.editTool(id, (output) => (output.details as { diff: string[] }).diff.shift()));
  stage.play(lane.editTool(id, (output) => output.content.splice(1, 1, { ...image, mediaType: "image/gif" })));

  const [row] = stage.state.rows;
  expect(row).toMatchObject({ output: { details: { spillPath: "/spill/1.log" } } });
  expect(row?.type === "tool" && row.output?.content[1]).toEqual({ ...image, mediaType: "image/gif", data: "" });
});

test("[F1] what a call is given stands in its own row alone", () => {
  const stage = new Stage();
  const { lane } = stage;
  stage.play(lane.startOperation());
  stage.play(lane.startMessage());
  stage.play(
    lane.editMessage((state) =>
      state.content.push({ type: "toolCall", toolCallId: "call_1", name: "write", input: "" }),
    ),
  );

  const ops = stage.play(
    lane.editMessage((state) => {
      const part = state.content[0];
      if (part?.type !== "toolCall") return;
      part.input += '{"content":"4711"}';
      part.args = { content: "4711" };
    }),
  );

  expect(ops).toEqual([]);
  expect(stage.state.rows[0]).toMatchObject({
    message: { content: [{ type: "toolCall", toolCallId: "call_1", name: "write", input: "" }] },
  });
});

const loneSurrogate = /\p{Surrogate}|\\ud[89a-f]/u;

test("[F1] long arguments and prompts are cut between characters, and say so", () => {
  const stage = new Stage();
  const { lane } = stage;
  stage.play(lane.startOperation());
  stage.play(lane.prompt(`x${"🦊".repeat(40_000)}`));
  const args = { path: "a.txt", content: `x${"🦊".repeat(40_000)}`, more: Array.from({ length: 9_999 }, (_, i) => i) };
  stage.play(lane.startTool(args).group);

  const [prompt, call] = stage.state.rows;
  expect(prompt).toMatchObject({ cut: true });
  expect(prompt?.type === "user" && [prompt.text.length, loneSurrogate.test(prompt.text)]).toEqual([65_535, false]);
  expect(call).toMatchObject({ argsCut: true, args: { path: "a.txt" } });
  expect(call?.type === "tool" && loneSurrogate.test(JSON.stringify(call))).toBe(false);
  expect(Buffer.byteLength(JSON.stringify(call))).toBeLessThan(20_000);
});

test("[F1] an operation that no process works on is shown as interrupted, and events of it cannot be placed", () => {
  const stage = new Stage();
  stage.play(stage.lane.startOperation());
  const { id, group } = stage.lane.startTool();
  stage.play(group);
  if (stage.view.operation !== null) stage.view.operation.abandoned = true;

  const state = chatFacet.initial(stage.view);

  expect(state).toMatchObject({ operation: { state: "interrupted" }, rows: [{ state: "interrupted" }] });
  expect(stage.lane.write(id, "x").every((event) => chatFacet.reduce(state, event))).toBe(false);
});

test("[F1] an operation that a process takes up again runs on, and its end says how and why", () => {
  const stage = new Stage();
  const { lane } = stage;
  const start = lane.startOperation();
  stage.play(start);
  const { id, group } = lane.startTool();
  stage.play(group);
  if (stage.view.operation !== null) stage.view.operation.abandoned = true;
  const state = chatFacet.initial(stage.view);

  for (const event of start) expect(chatFacet.reduce(state, event)).toBe(true);
  expect(state).toMatchObject({ operation: { state: "running" }, rows: [{ state: "running" }] });
  const end = [...lane.endTool(id, true, "interrupted"), ...lane.endOperation("interrupted", "it died")];
  for (const event of end) expect(chatFacet.reduce(state, event)).toBe(true);

  expect(state).toMatchObject({
    operation: { state: "interrupted", reason: "it died" },
    rows: [{ state: "interrupted", position: 0 }],
  });
});

const of = { operationId: "op_1", turnId: "turn_1" };
const unplaceable: [string, HarnessEvent][] = [
  ["an update of an unknown call", { type: "tool_update", ...of, toolCallId: "call_9", ops: [["r", {}]] }],
  ["an end of an unknown call", { type: "tool_end", ...of, toolCallId: "call_9", isError: false, entryId: "e", at: 1 }],
  ["a call of another operation", { type: "tool_start", ...of, toolCallId: "call_9", toolName: "bash", args: {} }],
  ["an update of an unknown message", { type: "message_update", ...of, messageId: "m_9", ops: [["r", {}]] }],
  ["the end of another operation", { type: "operation_end", operationId: "op_9", status: "completed", usage: {} }],
  ["a second operation", { type: "operation_start", operationId: "op_2", laneId: "main" }],
  ["an unknown type of event", { type: "hologram", ...of } as unknown as HarnessEvent],
];

test.each(unplaceable)("[L1] X25, X27: the chat does not change for %s", (_name, event) => {
  const stage = new Stage();
  stage.play(stage.lane.startOperation());
  stage.play(stage.lane.startTool().group);
  const before = stage.state;

  expect(
    chatFacet.reduce(stage.tracker.state, { ...event, ...(event.type === "tool_start" && { operationId: "op_0" }) }),
  ).toBe(false);

  expect(stage.tracker.flush()).toEqual([]);
  expect(stage.state).toEqual(before);
});

test("[F3] the chat holds the last rows, and says at which position of the transcript they begin", () => {
  const stage = new Stage(createChatFacet({ maxRows: 5 }));
  const { lane } = stage;
  stage.play(lane.startOperation());
  const first = lane.startTool();
  stage.play(first.group);
  for (let index = 0; index < 12; index += 1) stage.play(lane.prompt(`prompt ${index}`));

  expect(stage.state.earlier).toBe(7);
  expect(stage.state.rows.map((row) => row.position)).toEqual([undefined, 7, 8, 9, 10, 11]);

  stage.play(lane.endTool(first.id));
  expect(stage.state.rows.map((row) => row.position)).toEqual([12, 8, 9, 10, 11]);
});

test("[F3] after any sequence the folded chat is the chat of the lane's view, and its rows have no holes", () => {
  for (const seed of seedsOf(process.env["CI"] === "true" ? 200 : 10)) {
    const random = seededRandom(seed);
    const stage = new Stage(createChatFacet({ maxRows: 10 }));
    for (let step = 0; step < 150; step += 1) {
      stage.play(randomStep(stage.lane, random));

      const { earlier, rows } = stage.state;
      const positions = rows.flatMap(({ position }) => position ?? []).sort((a, b) => a - b);
      expect(positions, `seed ${seed}`).toEqual(positions.map((_, index) => earlier + index));
      expect(earlier + positions.length, `seed ${seed}`).toBe(stage.lane.entries.length);
    }

    const fresh = stage.facet.initial(stage.view);
    expect(byPosition(stage.state.rows), `seed ${seed}`).toEqual(byPosition(fresh.rows));
    expect(stage.state.earlier, `seed ${seed}`).toBe(fresh.earlier);
  }
});

/** Rows begin in one order and settle in another: only what is at a position is the same in both. */
function byPosition(rows: readonly ChatRow[]): ChatRow[] {
  const key = (row: ChatRow): string => String(row.position ?? (row.type === "tool" ? row.toolCallId : "message"));
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
