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

test("[H2] a memo is computed once, and a failed computation may be tried again", async () => {
  let runs = 0;
  const seen: unknown[] = [];
  const tool = makeTool("note", async ({ context }) => {
    const compute = (): number => (runs += 1);
    seen.push(await context.memo("a", compute), await context.memo("a", compute));
    const failing = context.memo("b", () => Promise.reject(new Error("no")));
    seen.push(await failing.catch(() => "failed"), await context.memo("b", () => "again"));
  });
  const { lane } = await openSession({ turns: [[call("note")], []], tools: [tool] });

  await (
    await lane.prompt("go")
  ).settled;

  expect(seen).toEqual([1, 1, "failed", "again"]);
});

test("[H40] a memo asked for twice at a time, too large, or not JSON is refused in words, and nothing of it is stored", async () => {
  const codes: unknown[] = [];
  const words: string[] = [];
  const tool = makeTool("note", async ({ context }) => {
    const attempt = async (compute: () => unknown): Promise<void> => {
      const memo = context.memo("a", compute as () => string);
      await memo.catch((error: HarnessError) => (codes.push(error.code), words.push(error.message)));
    };
    await Promise.all([attempt(() => "first"), attempt(() => "second")]);
    codes.push(await context.memo("a", () => "third"));
    for (const wrong of [() => new Date(0), undefined, { deep: [NaN] }, "x".repeat(65_535)]) {
      const memo = context.memo("b", () => wrong as unknown as string);
      await memo.catch((error: HarnessError) => (codes.push(error.code), words.push(error.message)));
    }
    codes.push(await context.memo("b", () => "x".repeat(65_534)).then(({ length }) => length));
  });
  const { lane } = await openSession({ turns: [[call("note")], []], tools: [tool] });

  await (
    await lane.prompt("go")
  ).settled;

  expect(codes).toEqual([
    "memo_busy",
    "first",
    "memo_not_json",
    "memo_not_json",
    "memo_not_json",
    "memo_too_large",
    65_534,
  ]);
  expect(words.at(-1)).toMatch(/at most 65536 bytes .* has 65537/);
});

test("[H40] what a memo gives is a copy: changing it changes nothing that a replay is given", async () => {
  const seen: unknown[] = [];
  const tool = makeTool("note", async ({ context }) => {
    const made = { parts: [1] };
    const given = await context.memo("a", () => made);
    made.parts.push(2);
    given.parts.push(3);
    seen.push(await context.memo("a", () => ({ parts: [] as number[] })));
  });
  const { lane } = await openSession({ turns: [[call("note")], []], tools: [tool] });

  await (
    await lane.prompt("go")
  ).settled;

  expect(seen).toEqual([{ parts: [1] }]);
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
