import { expect, test } from "vitest";
import { createMemoryStorage } from "../storage/index.js";
import type { SessionStorage } from "../storage/index.js";
import type { HarnessEvent } from "../protocol/index.js";
import type { Lane } from "./contract.js";
import { createPartsModel, finish, say } from "./fixtures/parts-model.js";
import { call, openSession, text } from "./fixtures/session.js";
import { defer, makeTool } from "./fixtures/tools.js";
import { wrapStorage } from "./fixtures/wrapped-storage.js";
import { laneEntries } from "./addresses.js";
import { readLane, readLanes } from "./history.js";

async function openKept(): Promise<SessionStorage> {
  return wrapStorage(await createMemoryStorage().create("session"), { close: () => Promise.resolve() });
}

function follow(lane: Lane): HarnessEvent[] {
  const events: HarnessEvent[] = [];
  lane.subscribe({ open: () => undefined, receive: (group) => void events.push(...group), end: () => undefined });
  return events;
}

const outline = (lane: Lane): string =>
  lane
    .view()
    .transcript.map(({ type }) => type.charAt(0))
    .join("");

test("[H32] lanes of a session run at once, each with its own operation, events and record", async () => {
  const storage = await openKept();
  const gate = defer();
  const meeting = { here: 0 };
  const tool = makeTool("meet", async ({ out }) => {
    meeting.here += 1;
    if (meeting.here === 3) gate.resolve();
    // Each waits for the others: one after the other they would never end.
    await gate.promise;
    out.write("met");
  });
  const { harness } = await openSession({ storage, turns: [[call("meet")], [text("Bye.")]], tools: [tool] });
  const lanes = ["a", "b", "c"].map((id) => harness.lane(id));
  const events = lanes.map(follow);

  const operations = await Promise.all(lanes.map((lane) => lane.prompt(`in ${lane.id}`)));
  const results = await Promise.all(operations.map(({ settled }) => settled));

  expect(results.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  expect([...(await readLanes(storage))].sort()).toEqual(["a", "b", "c"]);
  for (const [index, lane] of lanes.entries()) {
    const own = operations[index]?.id;
    expect(outline(lane)).toBe("uata");
    expect((await readLane(storage, lane.id)).transcript).toEqual(lane.view().transcript);
    expect(events[index]?.every((event) => !("operationId" in event) || event.operationId === own)).toBe(true);
  }
  expect(await storage.liveScopes()).toEqual([]);
});

test("[H33] a forked lane begins with what was there up to an entry, copies nothing, and goes its own way", async () => {
  const storage = await openKept();
  const { harness, lane, requests } = await openSession({ storage, model: createPartsModel() });
  for (const prompt of ["one", "two"]) await (await lane.prompt(prompt)).settled;
  const entry = lane.view().transcript[1];

  const fork = await harness.forkLane("main", entry?.id ?? "", "other");
  await (
    await fork.prompt("another two")
  ).settled;
  await (
    await lane.prompt("three")
  ).settled;

  expect(requests[2]?.messages.filter(({ role }) => role === "user")).toEqual([
    { role: "user", text: "one" },
    { role: "user", text: "another two" },
  ]);
  expect([outline(lane), outline(fork)]).toEqual(["uauaua", "uaua"]);
  expect((await storage.readList(laneEntries("other"))).elements).toHaveLength(2);
});

test("[H33] a fork is durable at once, also one of a fork and one during an operation, and starts nothing", async () => {
  const storage = await openKept();
  const model = createPartsModel([finish()], [say("hm"), new Promise(() => undefined)]);
  const { harness, lane } = await openSession({ storage, model });
  await (
    await lane.prompt("one")
  ).settled;
  await lane.prompt("two");
  const [first, , second] = lane.view().transcript;
  await harness.forkLane("main", second?.id ?? "", "b");
  await harness.forkLane("b", first?.id ?? "", "c");

  const next = await openSession({ storage, model: createPartsModel() });
  const lanes = next.harness.lanes();

  expect(lanes.map(({ id }) => id)).toEqual(["main", "b", "c"]);
  expect(lanes.map(outline)).toEqual(["uau", "uau", "u"]);
  expect(lanes.map((known) => known.view().operation === null)).toEqual([false, true, true]);
  await (
    await next.harness.lane("c").prompt("go on")
  ).settled;
  expect(outline(next.harness.lane("c"))).toBe("uua");
});

test("[H33] what cannot be forked is refused, and leaves no lane behind", async () => {
  const storage = await openKept();
  const { harness, lane } = await openSession({ storage, model: createPartsModel() });
  await (
    await lane.prompt("one")
  ).settled;
  const id = lane.view().transcript[0]?.id ?? "";

  await expect(harness.forkLane("nowhere", id, "b")).rejects.toMatchObject({ code: "unknown_lane" });
  await expect(harness.forkLane("main", "entry_none", "b")).rejects.toMatchObject({ code: "unknown_entry" });
  await expect(harness.forkLane("main", id, "main")).rejects.toMatchObject({ code: "lane_exists" });
  await expect(harness.forkLane("main", id, "A/B")).rejects.toMatchObject({ code: "invalid_argument" });
  expect(await readLanes(storage)).toEqual(["main"]);
});
