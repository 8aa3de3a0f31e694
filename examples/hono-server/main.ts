// An agent inside a Hono server, and a consumer that prompts it and follows the chat over HTTP.
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { createLocalEnv } from "spillway/exec";
import type { ChatState } from "spillway/facet";
import { openHarness } from "spillway/harness";
import { createScriptedModel, parseScript } from "spillway/models";
import { createMemoryStorage } from "spillway/storage";
import { createBashTool } from "spillway/tools";
import { connectByFetch, follow } from "spillway/wire/client";
import { createApp } from "./app.js";

const script = parseScript({
  version: 1,
  turns: [
    [
      { type: "text", text: "I count." },
      { type: "toolCall", name: "bash", args: { command: "seq 3" } },
    ],
    // A provider that is busy at first: the harness asks again.
    [
      { type: "error", code: "overloaded", retryAfterMs: 10, times: 1 },
      { type: "text", text: "Three lines." },
    ],
  ],
});

await using env = createLocalEnv({
  cwd: process.cwd(),
  environment: process.env,
  // Made when an output is too long for the model.
  spillFolder: join(tmpdir(), `spillway-example-${process.pid}`),
});
const harness = await openHarness({
  storage: await createMemoryStorage().create("served"),
  env,
  model: createScriptedModel(script),
  tools: [createBashTool()],
  retry: { baseDelayMs: 10 },
});
const app = createApp(harness.lane());
const address = await new Promise<AddressInfo>((resolve) => {
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, resolve);
  server.unref();
});
const origin = `http://127.0.0.1:${address.port}`;

const { consumer, ended } = follow<ChatState>({ connect: () => connectByFetch(`${origin}/chat`, { token: "none" }) });
const isDone = new Promise<void>((resolve) => {
  consumer.onChange(({ value }) => value.operation?.state === "completed" && resolve());
});
await fetch(`${origin}/prompt`, { method: "POST", body: JSON.stringify({ text: "Count to three." }) });
await isDone;
await harness.close();
console.log((await ended).reason);

for (const row of consumer.value?.rows ?? []) {
  if (row.type === "user") console.log(`> ${row.text}`);
  else if (row.type === "tool") console.log(row.output?.content);
  else if (row.type === "assistant") console.log(row.message?.content[0]);
}
