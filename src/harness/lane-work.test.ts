import { expect, test } from "vitest";
import { createMemoryStorage, StorageError } from "../storage/index.js";
import type { SessionStorage } from "../storage/index.js";
import { toolDefinition } from "../tools/index.js";
import { call, openSession, text } from "./fixtures/session.js";
import { defer, makeTool } from "./fixtures/tools.js";
import { wrapStorage } from "./fixtures/wrapped-storage.js";
import type { Operation } from "./contract.js";
import { MAX_PROMPT_BYTES } from "./lane-work.js";

test("[E3] of two prompts in one moment one is refused, and the lane takes the next after settling", async () => {
  const { lane } = await openSession({ turns: [[text("one")], [text("two")]] });

  const [first, second] = await Promise.allSettled([lane.prompt("a"), lane.prompt("b")]);
  if (first.status === "rejected") throw first.reason;
  await first.value.settled;
  const third = await lane.prompt("c");

  expect(second).toMatchObject({ status: "rejected", reason: { code: "lane_busy" } });
  expect(await third.settled).toMatchObject({ status: "completed" });
});

test("[E3] who is told of an operation's end may prompt at once", async () => {
  const { lane, events } = await openSession({ turns: [[text("one")], [text("two")]] });
  const next = defer<Operation>();
  let prompted = false;
  lane.subscribe({
    open: () => undefined,
    receive: (group) => {
      if (prompted || !group.some(({ type }) => type === "operation_end")) return;
      prompted = true;
      next.resolve(lane.prompt("b"));
    },
    end: () => undefined,
  });

  const first = await lane.prompt("a");
  const second = await next.promise;
  const results = await Promise.all([first.settled, second.settled]);

  expect(results.map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect(events.filter(({ type }) => type === "operation_end")).toHaveLength(2);
  await expect(lane.prompt("c").then(({ settled }) => settled)).resolves.toMatchObject({ status: "failed" });
});

test("[E3] lanes of one session run at once, each with its own events", async () => {
  const both = defer();
  let running = 0;
  const meet = makeTool("meet", async () => {
    running += 1;
    if (running === 2) both.resolve();
    await both.promise;
  });
  const { harness, lane, events } = await openSession({ turns: [[call("meet")], []], tools: [meet] });

  const operations = await Promise.all([lane.prompt("a"), harness.lane("side").prompt("b")]);
  const results = await Promise.all(operations.map(({ settled }) => settled));

  expect(results.map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect(harness.lanes().map(({ id }) => id)).toEqual(["main", "side"]);
  expect(new Set(events.flatMap((event) => ("operationId" in event ? [event.operationId] : [])))).toEqual(
    new Set([operations[0].id]),
  );
});

test("[H1] lanes come back in their order, with what was said", async () => {
  const storage = await createMemoryStorage().create("session");
  const kept = wrapStorage(storage, { close: () => Promise.resolve() });
  const first = await openSession({ storage: kept, turns: [[text("one")]] });
  await (
    await first.lane.prompt("a")
  ).settled;
  await (
    await first.harness.lane("side").prompt("b")
  ).settled;
  await first.harness.close();

  const again = await openSession({ storage });

  expect(again.harness.lanes().map(({ id }) => id)).toEqual(["main", "side"]);
  expect(again.lane.view()).toEqual(first.lane.view());
  expect(again.harness.lane("side").view()).toEqual(first.harness.lane("side").view());
});

test("[H5] closing aborts what runs, settles it, and refuses what comes later", async () => {
  const begun = defer();
  const tool = makeTool("wait", ({ signal }) => {
    begun.resolve();
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
  });
  const storage = await createMemoryStorage().create("session");
  const kept = wrapStorage(storage, { close: () => Promise.resolve() });
  const { harness, lane } = await openSession({ storage: kept, turns: [[call("wait")]], tools: [tool] });
  let ended = false;
  lane.subscribe({ open: () => undefined, receive: () => undefined, end: () => (ended = true) });

  const operation = await lane.prompt("go");
  await begun.promise;
  await harness[Symbol.asyncDispose]();

  expect(await operation.settled).toMatchObject({ status: "aborted", reason: "The harness was closed." });
  expect(await storage.liveScopes()).toEqual([]);
  expect(ended).toBe(true);
  await expect(lane.prompt("more")).rejects.toMatchObject({ code: "closed" });
  expect(() => harness.lane("other")).toThrow(expect.objectContaining({ code: "closed" }));
  expect(() => lane.subscribe({ open: () => undefined, receive: () => undefined, end: () => undefined })).toThrow(
    expect.objectContaining({ code: "closed" }),
  );
});

test.each([
  ["an empty prompt", ""],
  ["a prompt beyond the limit", "x".repeat(MAX_PROMPT_BYTES + 1)],
])("[H1] %s is refused and leaves the lane free", async (_name, prompt) => {
  const { lane } = await openSession({ turns: [[text("ok")]] });

  await expect(lane.prompt(prompt)).rejects.toMatchObject({ code: "invalid_argument" });

  expect((await (await lane.prompt("fine")).settled).status).toBe("completed");
});

test("[H1] options that no harness can have are refused with the option's name", async () => {
  const tool = makeTool("twice", () => undefined);
  const refused = (options: Parameters<typeof openSession>[0]): Promise<unknown> =>
    openSession(options).then(
      () => undefined,
      (error: unknown) => error,
    );

  expect(await refused({ tools: [tool, tool] })).toMatchObject({ code: "invalid_argument" });
  expect(await refused({ maxParallelCalls: 0 })).toMatchObject({
    message: expect.stringContaining("maxParallelCalls"),
  });
  expect(await refused({ durability: { intervalMs: 0.5 } })).toMatchObject({
    message: expect.stringContaining("durability.intervalMs"),
  });
  expect(await refused({ tools: [makeTool("not a name", () => undefined)] })).toMatchObject({ code: "invalid_tool" });
  expect(() => toolDefinition(tool)).not.toThrow();
});

test("[H1] an id that no lane can have is refused", async () => {
  const { harness } = await openSession();

  for (const id of ["", "A", "a/b", "..", "x".repeat(65)]) {
    expect(() => harness.lane(id)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
  }
});

test("[H5] an end that cannot be stored is not told; recovery settles it once storage writes again", async () => {
  const disk = { full: false };
  const storage = fillable(await createMemoryStorage().create("session"), disk);
  const tool = makeTool("fill", () => void (disk.full = true));
  const { harness, lane, events } = await openSession({ storage, turns: [[call("fill")], []], tools: [tool] });

  const operation = await lane.prompt("go");
  const result = await operation.settled;
  const unsettled = lane.view();
  await expect(lane.prompt("next")).rejects.toMatchObject({ code: "unsettled" });
  disk.full = false;
  const report = await harness.recover();

  expect(result).toMatchObject({ status: "failed", reason: expect.stringContaining("disk is full") });
  expect(unsettled.operation?.id).toBe(operation.id);
  expect(report.operations).toMatchObject([{ operationId: operation.id, outcome: "resumed" }]);
  expect(events.filter(({ type }) => type === "operation_end")).toMatchObject([{ status: "completed" }]);
  expect(lane.view().operation).toBeNull();
  expect(await storage.liveScopes()).toEqual([]);
});

function fillable(session: SessionStorage, disk: { readonly full: boolean }): SessionStorage {
  return wrapStorage(session, {
    commit: (scope, build, options) =>
      session.commit(
        scope,
        (transaction) => {
          const value = build(transaction);
          if (disk.full) throw new StorageError("write_failed", "The disk is full.");
          return value;
        },
        options,
      ),
  });
}
