import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createManualClock } from "../local/fixtures/manual-clock.js";
import { createHostIdentity } from "./host-identity.js";
import { createOwners } from "./owners.js";
import type { Owners } from "./owners.js";
import { createRequests } from "./requests.js";

let folder: string;
let owners: Owners;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spillway-requests-"));
  owners = createOwners({
    cwd: folder,
    environment: process.env,
    spillRoot: join(folder, "spill"),
    hidden: undefined,
    maxSpillBytes: undefined,
    maxEnvSpillBytes: undefined,
    maxUnattendedMs: 1_000,
    identity: createHostIdentity(Math.random),
    clock: createManualClock(),
    random: Math.random,
  });
});
afterEach(async () => {
  await owners.close();
  rmSync(folder, { recursive: true, force: true });
});

const channel = { signal: new AbortController().signal, tell: () => true, room: () => Promise.resolve() };
const content = (text: string): string => Buffer.from(text).toString("base64");
const opening = { owner: "s_1", client: "client_1" };

test("[X13] a client's new link is open once its older one does nothing more, which then takes nothing more", async () => {
  const older = createRequests(owners);
  await older.handle("open", opening, channel);
  const order: string[] = [];
  const slow = older
    .handle("files.write", { path: "file", bytes: content("x".repeat(4_000_000)) }, channel)
    .then(() => order.push("written"));
  const newer = createRequests(owners);

  await newer.handle("open", opening, channel).then(() => order.push("open"));

  await slow;
  expect(order).toEqual(["written", "open"]);
  const late = older.handle("files.write", { path: "file", bytes: content("late") }, channel);
  await expect(late).rejects.toMatchObject({ code: "link_lost" });
  newer.leave();
});

test("[X13] of three links the last waits for the first, and one that was lost as it opened counts nobody in", async () => {
  const first = createRequests(owners);
  await first.handle("open", opening, channel);
  const order: string[] = [];
  const slow = first
    .handle("files.write", { path: "file", bytes: content("x".repeat(4_000_000)) }, channel)
    .then(() => order.push("written"));
  const [second, third] = [createRequests(owners), createRequests(owners)];
  const lost = second.handle("open", opening, channel);
  second.leave();

  await third.handle("open", opening, channel).then(() => order.push("open"));

  await slow;
  expect(order).toEqual(["written", "open"]);
  await expect(lost).rejects.toMatchObject({ code: "link_lost" });
  third.leave();
});

test("[X13] a link that was lost while it wrote is waited for too, and another client's is not", async () => {
  const older = createRequests(owners);
  await older.handle("open", opening, channel);
  const order: string[] = [];
  const slow = older
    .handle("files.write", { path: "file", bytes: content("x".repeat(4_000_000)) }, channel)
    .then(() => order.push("written"));
  older.leave();
  const [newer, other] = [createRequests(owners), createRequests(owners)];

  await Promise.all([
    newer.handle("open", opening, channel).then(() => order.push("open")),
    other.handle("open", { ...opening, client: "client_2" }, channel).then(() => order.push("other")),
    slow,
  ]);

  expect(order).toEqual(["other", "written", "open"]);
  newer.leave();
  other.leave();
});

test("[X12] an execution that is begun while others are listed stays known", async () => {
  const requests = createRequests(owners);
  await requests.handle("open", opening, channel);
  const plan = (await requests.handle("plan", { command: "echo here" }, channel)) as { executionId: string };

  const begun = requests.handle("begin", plan, channel);
  await requests.handle("list", {}, channel);
  await begun;

  const result = await requests.handle("attach", plan, channel);
  expect(result).toMatchObject({ executionId: plan.executionId, exitCode: 0 });
  requests.leave();
});
