import { expect, test } from "vitest";
import { operationToolMemo, pendingToolOutput } from "./addresses.js";
import { createManualClock } from "../exec/output/fixtures/manual-clock.js";
import { call, openSession } from "./fixtures/session.js";
import { makeTool } from "./fixtures/tools.js";
import { HarnessError } from "./errors.js";
import { readLane } from "./history.js";

test("[H2] a memo and the output up to it are one commit", async () => {
  const looks: unknown[] = [];
  const tool = makeTool("note", async ({ out, context }) => {
    out.write("before\n");
    await context.memo("place", () => ({ part: 3 }));
    const memo = await storage.readValue(operationToolMemo(context.operationId, context.toolCallId, "place"));
    const { elements } = await storage.readList(pendingToolOutput(context.operationId, context.toolCallId));
    const { unsettled } = await readLane(storage, "main");
    looks.push(memo, elements.length, unsettled?.calls[0]?.output?.content);
  });
  const { lane, storage } = await openSession({
    turns: [[call("note")], []],
    tools: [tool],
    clock: createManualClock(),
  });

  await (
    await lane.prompt("go")
  ).settled;

  expect(looks).toEqual([{ part: 3 }, 2, [{ type: "text", text: "before\n" }]]);
});

test("[H2] a memo is computed once, also when asked for twice at a time, and a failed computation may be tried again", async () => {
  let runs = 0;
  const seen: unknown[] = [];
  const tool = makeTool("note", async ({ context }) => {
    const compute = (): number => (runs += 1);
    seen.push(
      await Promise.all([context.memo("a", compute), context.memo("a", compute)]),
      await context.memo("a", compute),
    );
    const failing = context.memo("b", () => Promise.reject(new Error("no")));
    seen.push(await failing.catch(() => "failed"), await context.memo("b", () => "again"));
  });
  const { lane } = await openSession({ turns: [[call("note")], []], tools: [tool] });

  await (
    await lane.prompt("go")
  ).settled;

  expect(seen).toEqual([[1, 1], 1, "failed", "again"]);
});

test("[H2] a name that no memo can have is refused", async () => {
  const seen: unknown[] = [];
  const tool = makeTool("note", async ({ context }) => {
    for (const name of ["", "a b", "execution:x", "A", "x".repeat(65)]) {
      seen.push(await context.memo(name, () => 1).catch((error: unknown) => error));
    }
  });
  const { lane } = await openSession({ turns: [[call("note")], []], tools: [tool] });

  await (
    await lane.prompt("go")
  ).settled;

  expect(seen).toHaveLength(5);
  expect(seen.every((error) => error instanceof HarnessError && error.code === "invalid_argument")).toBe(true);
});
