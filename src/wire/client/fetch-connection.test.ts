import { expect, test } from "vitest";
import { chatPath, serveLane, tokens } from "../fixtures/served-lane.js";
import { connectByFetch, follow, refusal } from "./index.js";

test("[C1] a browser's fetch is followed from base to end", async () => {
  await using stage = await serveLane();
  stage.source.play(stage.source.lane.startOperation());
  stage.source.play(stage.source.lane.prompt("seen"));
  stage.source.finish();

  const { ended, consumer } = follow({
    connect: () => connectByFetch(stage.origin + chatPath, { token: tokens.view }),
  });

  expect(await ended).toEqual({ reason: "end" });
  expect(consumer.value).toEqual(stage.source.chat.snapshot());
});

test("[C1] stopping ends the connection, also one whose read hangs", async () => {
  await using stage = await serveLane();
  const following = follow({ connect: () => connectByFetch(stage.origin + chatPath, { token: tokens.view }) });
  await new Promise<void>((resolve) => {
    following.consumer.onChange(() => resolve());
  });

  following.stop();
  await stage.server.idle(10_000);

  expect(stage.server.counters.open).toBe(0);
});

test("[W3] a wrong token is refused for good, in the server's words", async () => {
  await using stage = await serveLane();

  const { ended } = follow({ connect: () => connectByFetch(stage.origin + chatPath, { token: "wrong" }) });

  expect(await ended).toMatchObject({
    reason: "refused",
    error: { code: "refused", status: 401, message: /unauthorized/ },
  });
});

test.each([
  [400, false],
  [401, false],
  [404, false],
  [410, false],
  [421, false],
  [408, true],
  [429, true],
  [500, true],
  [502, true],
  [503, true],
  [0, true],
])("[C1] after an answer of %i another try is worth it: %s", (status, retryable) => {
  expect(refusal(status, "why").retryable).toBe(retryable);
});
