import { expect, test } from "vitest";
import type { ChatToolRow } from "../facet/index.js";
import { serveLane, tokens } from "./fixtures/served-lane.js";
import type { ServedStage } from "./fixtures/served-lane.js";
import { MAX_DECISION_REASON_BYTES, MAX_MESSAGE_BODY_BYTES, MAX_MESSAGE_BYTES } from "./lane-commands.js";

const lane = "/api/sessions/s_1/lanes/main";

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function send(stage: ServedStage, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${stage.origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tokens.control}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const refused = (status: number, code: string, message: RegExp): unknown => ({
  status,
  body: { error: { code, message: expect.stringMatching(message) as string } },
});

const callRow = ({ source }: ServedStage): ChatToolRow | undefined =>
  source.chat.snapshot().rows.findLast((row) => row.type === "tool");

test("[W4] a call that waits is decided about once, and viewers see what was decided", async () => {
  await using stage = await serveLane();
  const call = stage.source.askFor({ command: "rm -rf build" });
  expect(callRow(stage)).toMatchObject({ state: "waiting", args: { command: "rm -rf build" } });

  const decision = { decision: "deny", reason: "not there", always: true };
  const first = await send(stage, "POST", `${lane}/approvals/${call}`, decision);
  const second = await send(stage, "POST", `${lane}/approvals/${call}`, { decision: "allow" });

  expect(first).toEqual({ status: 202, body: { decided: true } });
  expect(second).toEqual(refused(409, "conflict", /waits for nothing/));
  expect(stage.source.decisions).toEqual([decision]);
  expect(callRow(stage)).toMatchObject({ state: "running", approval: { decision: "deny", reason: "not there" } });
});

test.each([
  ["no decision", {}, /decision is "allow" or "deny"/],
  ["another word", { decision: "yes" }, /decision is/],
  ["a list", { decision: ["allow"] }, /decision is/],
  ["a reason that is no text", { decision: "deny", reason: 1 }, /at most 4096 bytes/],
  ["a reason that is too long", { decision: "deny", reason: "é".repeat(2_049) }, /at most 4096 bytes/],
  ["always in words", { decision: "allow", always: "yes" }, /always is true or false/],
])("[W4] a decision with %s is refused and decides nothing", async (_name, body, message) => {
  await using stage = await serveLane();
  const call = stage.source.askFor({ command: "make" });

  expect(await send(stage, "POST", `${lane}/approvals/${call}`, body)).toEqual(
    refused(400, "invalid_request", message),
  );
  expect(stage.source.decisions).toEqual([]);
  expect(callRow(stage)).toMatchObject({ state: "waiting" });
});

test("[W4] a reason may be as long as it may be", async () => {
  await using stage = await serveLane();
  const call = stage.source.askFor({ command: "make" });
  const reason = "é".repeat(MAX_DECISION_REASON_BYTES / 2);

  expect((await send(stage, "POST", `${lane}/approvals/${call}`, { decision: "deny", reason })).status).toBe(202);
  expect(stage.source.decisions).toEqual([{ decision: "deny", reason }]);
});

test("[W5] what is said joins what runs or begins something, and is told of as that", async () => {
  await using stage = await serveLane();
  const say = (text: string, as: string): Promise<Answer> => send(stage, "POST", `${lane}/messages`, { text, as });

  expect(await say("go on", "steer")).toEqual(refused(409, "conflict", /nothing runs/));
  expect(await say("Build it.", "prompt")).toEqual({ status: 202, body: { operationId: "op_1" } });
  expect(await say("and more", "prompt")).toEqual(refused(409, "conflict", /runs/));
  expect(await say("in debug mode", "steer")).toMatchObject({
    status: 202,
    body: { message: { id: "q_2", kind: "steer", text: "in debug mode" } },
  });
  expect(await say("then test it", "followUp")).toMatchObject({ body: { message: { kind: "followUp" } } });

  expect(stage.source.said).toEqual(["Build it.", "in debug mode", "then test it"]);
  expect(stage.source.chat.snapshot().queue).toMatchObject([{ kind: "steer" }, { kind: "followUp" }]);
});

test("[W5] what was said is taken back once", async () => {
  await using stage = await serveLane();
  await send(stage, "POST", `${lane}/messages`, { text: "Build it.", as: "prompt" });
  await send(stage, "POST", `${lane}/messages`, { text: "no, wait", as: "steer" });

  expect(await send(stage, "DELETE", `${lane}/messages/q_2`)).toEqual({ status: 200, body: { withdrawn: true } });
  expect(await send(stage, "DELETE", `${lane}/messages/q_2`, {})).toEqual({ status: 200, body: { withdrawn: false } });
  expect(stage.source.chat.snapshot().queue).toBeUndefined();
});

test.each([
  ["no text", { as: "steer" }, /bytes that is not blank/],
  ["a blank text", { text: " \n", as: "steer" }, /not blank/],
  ["a list", { text: ["x"], as: "steer" }, /not blank/],
  ["one byte too many", { text: `${"é".repeat(MAX_MESSAGE_BYTES / 2)}x`, as: "steer" }, /at most 65536 bytes/],
  ["no kind", { text: "x" }, /as is one of "steer", "followUp", "prompt"/],
  ["another kind", { text: "x", as: "shout" }, /as is one of/],
])("[W5] a message with %s is refused and not said", async (_name, body, message) => {
  await using stage = await serveLane();
  stage.source.play(stage.source.lane.startOperation());

  expect(await send(stage, "POST", `${lane}/messages`, body)).toEqual(refused(400, "invalid_request", message));
  expect(stage.source.said).toEqual([]);
});

test("[W5] a message may be as long as it may be, and a body that is longer is refused by its length", async () => {
  await using stage = await serveLane();
  stage.source.play(stage.source.lane.startOperation());
  const text = `${"\n".repeat(MAX_MESSAGE_BYTES - 1)}x`;

  expect((await send(stage, "POST", `${lane}/messages`, { text, as: "steer" })).status).toBe(202);
  const tooLong = " ".repeat(MAX_MESSAGE_BODY_BYTES + 1);
  expect(await send(stage, "POST", `${lane}/messages`, tooLong)).toEqual(refused(413, "payload_too_large", /163840/));
  expect(stage.source.said).toEqual([text]);
});

test.each([
  ["POST", "approvals/call_1", { decision: "allow" }],
  ["POST", "messages", { text: "x", as: "steer" }],
  ["DELETE", "messages/q_1", undefined],
])("[W3] %s %s of a lane that is not there, or under no id, is not found", async (method, path, body) => {
  await using stage = await serveLane();
  const to = (place: string): Promise<Answer> => send(stage, method, `${place}/${path}`, body);

  expect(await to("/api/sessions/s_1/lanes/side")).toEqual(refused(404, "not_found", /no lane side/));
  expect(await to("/api/sessions/s_2/lanes/main")).toEqual(refused(404, "not_found", /no session s_2/));
  expect(await to("/api/sessions/s_1/lanes/MAIN")).toEqual(refused(404, "not_found", /lane in the address is no id/));
});

test("[W3] a body with a DELETE must be JSON like any other", async () => {
  await using stage = await serveLane();

  const response = await fetch(`${stage.origin}${lane}/messages/q_1`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${tokens.control}`, "content-type": "text/plain" },
    body: "x",
  });

  expect(response.status).toBe(415);
});
