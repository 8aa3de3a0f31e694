import { expect, test } from "vitest";
import type { HarnessEvent } from "../protocol/index.js";
import { listAddress, sessionScope, valueAddress } from "../storage/index.js";
import { laneEntries, laneOperation, pendingToolOutput } from "./addresses.js";
import { call, openSession, text } from "./fixtures/session.js";
import { makeTool } from "./fixtures/tools.js";
import { readLane } from "./history.js";

const greet = makeTool("greet", ({ arg, out }) => out.write(`hello ${arg("name")}\n`));
const turns = [[text("I greet."), call("greet", { name: "Ada" })], [text("Done.")]];

test("[E1] one prompt gives its events in order, and nothing that was folded comes again", async () => {
  const { lane, events } = await openSession({ turns, tools: [greet] });

  const operation = await lane.prompt("go");
  const result = await operation.settled;

  expect(result).toEqual({ operationId: operation.id, status: "completed", usage: {} });
  const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
  expect(types).toEqual([
    "operation_start",
    "entry_added",
    "message_start",
    "message_update",
    "message_end",
    "tool_start",
    "tool_update",
    "tool_end",
    "message_start",
    "message_update",
    "message_end",
    "operation_end",
  ]);
  expect(events.filter(({ type }) => type === "entry_added")).toHaveLength(1);
  expect(events.at(-1)).toEqual({
    type: "operation_end",
    operationId: operation.id,
    status: "completed",
    usage: {},
  });
});

test("[E1] every id matches the pattern of ids and says what it names", async () => {
  const { lane, events } = await openSession({ turns, tools: [greet] });

  await (
    await lane.prompt("go")
  ).settled;

  const named = (key: string): string[] =>
    events.flatMap((event) => (key in event ? [String(Reflect.get(event, key))] : []));
  expect(named("operationId").every((id) => /^op_[a-z0-9]{16}$/.test(id))).toBe(true);
  expect(named("turnId").every((id) => /^turn_[a-z0-9]{16}$/.test(id))).toBe(true);
  expect(named("messageId").every((id) => /^msg_[a-z0-9]{16}$/.test(id))).toBe(true);
  expect(named("toolCallId").every((id) => /^call_[a-z0-9]{16}$/.test(id))).toBe(true);
  expect(named("entryId").every((id) => /^entry_[a-z0-9]{16}$/.test(id))).toBe(true);
});

test("[E2] a call's first update is a base batch that comes with its start, and nothing follows its end", async () => {
  const { lane, groups, events } = await openSession({ turns, tools: [greet] });

  await (
    await lane.prompt("go")
  ).settled;

  const ofCall = events.filter((event) => "toolCallId" in event);
  expect(ofCall[0]?.type).toBe("tool_start");
  expect(ofCall[1]).toMatchObject({ type: "tool_update", ops: [["r", { content: [{ type: "text", text: "" }] }]] });
  expect(ofCall.at(-1)?.type).toBe("tool_end");
  expect(ofCall.filter(({ type }) => type === "tool_end")).toHaveLength(1);
  const start = groups.find((group) => group[0]?.type === "tool_start");
  expect(start?.map(({ type }) => type)).toEqual(["tool_start", "tool_update"]);
});

test("[E2] an entry is in storage when its event is told", async () => {
  const { lane, storage } = await openSession({ turns, tools: [greet] });
  const looks: Promise<void>[] = [];
  lane.subscribe({
    open: () => undefined,
    receive: (group) => looks.push(...group.map(look)),
    end: () => undefined,
  });
  async function look(event: HarnessEvent): Promise<void> {
    const id = event.type === "entry_added" ? event.entry.id : "entryId" in event ? event.entryId : undefined;
    if (id === undefined) return;
    const { elements } = await storage.readList(laneEntries("main"));
    expect(elements.map(({ value }) => value.id)).toContain(id);
  }

  await (
    await lane.prompt("go")
  ).settled;
  await Promise.all(looks);

  expect(looks.length).toBeGreaterThan(4);
});

test("[H4] storage, the view and the model have the same blocks of a call", async () => {
  const { lane, storage, requests } = await openSession({ turns, tools: [greet] });

  await (
    await lane.prompt("go")
  ).settled;

  const { transcript } = await readLane(storage, "main");
  const entry = transcript.find(({ type }) => type === "tool");
  const result = requests[1]?.messages.at(-1);
  expect(entry).toMatchObject({ toolName: "greet", args: { name: "Ada" }, isError: false });
  expect(result).toMatchObject({ role: "tool", isError: false, content: [{ type: "text", text: "hello Ada\n" }] });
  expect(entry?.type === "tool" && entry.output.content).toEqual(result?.role === "tool" && result.content);
  expect(lane.view().transcript).toEqual(transcript);
});

test("[H5] a settled operation has no live scope and its end in the main log", async () => {
  const { lane, storage } = await openSession({ turns, tools: [greet] });

  const operation = await lane.prompt("go");
  const during = await storage.readValue(laneOperation("main"));
  await operation.settled;

  expect(during).toMatchObject({ id: operation.id, status: "running" });
  expect(await storage.liveScopes()).toEqual([]);
  expect(await storage.readValue(laneOperation("main"))).toMatchObject({ id: operation.id, status: "completed" });
});

test("[H5] once a call's entry is stored its list and memos are gone from the sidecar", async () => {
  const note = makeTool("note", async ({ out, context }) => {
    out.write("noted\n");
    await context.memo("place", () => "here");
  });
  const seen: unknown[] = [];
  const look = makeTool("look", async ({ context }) => {
    const { elements } = await storage.readList(pendingToolOutput(context.operationId, noted));
    seen.push(
      elements.length,
      (await storage.listKeys(scope(context.operationId))).map(({ key }) => key),
    );
  });
  const scope = (id: string): { kind: "ephemeral"; id: string } => ({ kind: "ephemeral", id });
  const { lane, storage, events } = await openSession({
    turns: [[call("note")], [call("look")], []],
    tools: [note, look],
  });
  let noted = "";
  lane.subscribe({
    open: () => undefined,
    receive: () =>
      (noted ||= events.flatMap((event) => (event.type === "tool_end" ? [event.toolCallId] : []))[0] ?? ""),
    end: () => undefined,
  });

  await (
    await lane.prompt("go")
  ).settled;

  expect(seen[0]).toBe(0);
  expect(JSON.stringify(seen[1])).not.toContain(noted);
});

test("[H5] what a call printed once is once in the main log", async () => {
  const marker = "0123456789abcdef-once-only-marker";
  const print = makeTool("print", ({ out }) => out.write(`${marker}\n`));
  const { lane, storage } = await openSession({
    turns: [[call("print", { file: "in-the-arguments" })], []],
    tools: [print],
  });

  await (
    await lane.prompt("go")
  ).settled;

  const keys = await storage.listKeys(sessionScope);
  const stored = await Promise.all(
    keys.map(({ kind, key }) =>
      kind === "list"
        ? storage.readList(listAddress(sessionScope, key))
        : storage.readValue(valueAddress(sessionScope, key)),
    ),
  );
  expect(JSON.stringify(stored).split(marker)).toHaveLength(2);
  expect(JSON.stringify(stored).split("in-the-arguments")).toHaveLength(2);
});
