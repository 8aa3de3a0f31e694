import { expect, test } from "vitest";
import { createMemoryStorage, StorageError } from "../storage/index.js";
import { toLaneView, readLane } from "./history.js";
import { makeMortal } from "./fixtures/mortal-storage.js";
import { openSession, text } from "./fixtures/session.js";
import { defer, makeTool } from "./fixtures/tools.js";
import { wrapStorage } from "./fixtures/wrapped-storage.js";

const COUNT = 20;

test("[H9] calls without a model run side by side, more than a turn would, in one operation that ends with the last", async () => {
  const all = defer();
  let running = 0;
  const meet = makeTool("meet", async ({ arg, out }) => {
    running += 1;
    if (running === COUNT) all.resolve();
    await all.promise;
    out.write(`number ${arg("number")}`);
  });
  const { lane, events, requests } = await openSession({ tools: [meet] });

  const calls = await Promise.all(Array.from({ length: COUNT }, (_, number) => lane.call("meet", { number })));
  const entries = await Promise.all(calls.map(({ settled }) => settled));

  expect(entries.map(({ output }) => output.content[0])).toEqual(
    Array.from({ length: COUNT }, (_, number) => ({ type: "text", text: `number ${number}` })),
  );
  await expect.poll(() => lane.view().operation).toBeNull();
  expect(new Set(calls.map(({ operationId }) => operationId)).size).toBe(1);
  expect(events.filter(({ type }) => type === "operation_end")).toMatchObject([{ status: "completed" }]);
  expect(requests).toEqual([]);
});

test("[H9] an aborted call ends alone, and says so", async () => {
  const done = defer();
  const wait = makeTool("wait", ({ arg, signal }) =>
    arg("kind") === "stays"
      ? done.promise
      : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const { lane } = await openSession({ tools: [wait] });
  const [stays, goes] = [await lane.call("wait", { kind: "stays" }), await lane.call("wait", { kind: "goes" })];

  goes.abort("nobody wants it");
  const ended = await goes.settled;
  const view = lane.view();
  done.resolve();

  expect(ended).toMatchObject({ isError: true, stopped: "aborted" });
  expect(JSON.stringify(ended.output.content)).toContain("nobody wants it");
  expect(view.operation?.tools.map(({ id }) => id)).toEqual([stays.toolCallId]);
  expect(await stays.settled).toMatchObject({ isError: false });
});

test("[H9] a call that comes while the operation ends begins the next one", async () => {
  const say = makeTool("say", ({ out }) => out.write("said"));
  const { lane, events } = await openSession({ tools: [say] });

  for (let i = 0; i < 5; i += 1) await (await lane.call("say", {})).settled;

  await expect.poll(() => lane.view().operation).toBeNull();
  expect(events.filter(({ type }) => type === "operation_end")).toHaveLength(5);
});

test("[H9] beside a prompt's operation calls are refused, and a prompt beside calls", async () => {
  const done = defer();
  const wait = makeTool("wait", () => done.promise);
  const { harness, lane } = await openSession({ turns: [[text("one")]], tools: [wait] });
  const call = await lane.call("wait", {});

  const prompt = lane.prompt("go");
  await expect(prompt).rejects.toMatchObject({ code: "lane_busy" });
  done.resolve();
  await call.settled;
  await expect.poll(() => lane.view().operation).toBeNull();
  const operation = await lane.prompt("go");
  await expect(lane.call("wait", {})).rejects.toMatchObject({ code: "lane_busy" });
  await operation.settled;
  await harness.close();

  await expect(lane.call("wait", {})).rejects.toMatchObject({ code: "closed" });
});

test("[H9] an unknown tool is a failed result, and its arguments are stored as they were stated", async () => {
  const { lane, storage } = await openSession({ tools: [] });

  const entry = await (await lane.call("nothing", { deep: [{ a: 1 }] })).settled;
  const stored = toLaneView(await readLane(storage, "main")).transcript.find(({ type }) => type === "tool");

  expect(entry).toMatchObject({ isError: true, toolName: "nothing" });
  expect(stored).toMatchObject({ args: { deep: [{ a: 1 }] } });
});

test("[H9] a lane that is closed stops its calls and settles them", async () => {
  const wait = makeTool(
    "wait",
    ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const { harness, lane, events } = await openSession({ tools: [wait] });
  const calls = [await lane.call("wait", {}), await lane.call("wait", {})];

  await harness.close();

  expect(await Promise.all(calls.map(({ settled }) => settled))).toMatchObject([
    { stopped: "aborted" },
    { stopped: "aborted" },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "operation_end", status: "aborted" });
});

test("[H9] what a process that died left of its calls is taken up one by one, and new calls join meanwhile", async () => {
  const session = await createMemoryStorage().create("session");
  const mortal = makeMortal(session, { lives: Infinity, acknowledged: true });
  const begun = defer();
  const never = new Promise<void>(() => undefined);
  const first = await openSession({
    storage: mortal.storage,
    tools: [
      makeTool("again", () => never, { replay: "safe" }),
      makeTool("once", () => {
        begun.resolve();
        return never;
      }),
    ],
  });
  const again = await first.lane.call("again", {});
  const once = await first.lane.call("once", {});
  await begun.promise;
  mortal.kill();
  const done = defer();
  const next = await openSession({
    storage: session,
    tools: [
      makeTool("again", () => done.promise, { replay: "safe" }),
      makeTool("once", () => never),
      makeTool("new", ({ out }) => out.write("new")),
    ],
  });
  await expect(next.lane.call("new", {})).rejects.toMatchObject({ code: "unsettled" });

  const recovering = next.harness.recover();
  const joined = await next.lane.call("new", {});
  const entry = await joined.settled;
  done.resolve();
  const report = await recovering;

  expect(entry).toMatchObject({ isError: false, operationId: again.operationId });
  expect(report.operations).toMatchObject([{ outcome: "interrupted", status: "interrupted" }]);
  const ended = next.lane.view().transcript.flatMap((item) => (item.type === "tool" ? [item] : []));
  expect(ended.find(({ toolCallId }) => toolCallId === again.toolCallId)).toMatchObject({ isError: false });
  expect(ended.find(({ toolCallId }) => toolCallId === once.toolCallId)).toMatchObject({ stopped: "interrupted" });
  expect(next.requests).toEqual([]);
});

test("[H9] where storage fails, the calls that run are stopped and recovery settles them", async () => {
  const session = await createMemoryStorage().create("session");
  let fails = false;
  const storage = wrapStorage(session, {
    commit: (...args) => (fails ? Promise.reject(new StorageError("write_failed", "no")) : session.commit(...args)),
  });
  const wait = makeTool(
    "wait",
    ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const { harness, lane } = await openSession({ storage, tools: [wait] });
  const call = await lane.call("wait", {});

  fails = true;
  const refused = lane.call("wait", {});
  await expect(refused).rejects.toMatchObject({ code: "write_failed" });
  await expect(call.settled).rejects.toMatchObject({ code: "write_failed" });
  fails = false;
  await expect
    .poll(() => harness.recover().catch(() => undefined))
    .toMatchObject({ operations: [{ status: "interrupted" }] });

  expect(lane.view().operation).toBeNull();
});
