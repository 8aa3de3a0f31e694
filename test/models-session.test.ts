import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalEnv } from "../src/exec/index.js";
import type { LocalEnv } from "../src/exec/index.js";
import { chatFacet, createFacetHost } from "../src/facet/index.js";
import { openHarness } from "../src/harness/index.js";
import type { Harness } from "../src/harness/index.js";
import type { Model } from "../src/models/index.js";
import { createJsonlStorage } from "../src/storage/index.js";
import { createBashTool } from "../src/tools/index.js";
import type { ModelAnswerPart } from "../src/testing/index.js";
import { startModelServer } from "./support/model-server/server.js";
import { answerWith } from "./support/model-server/turn.js";
import { wires } from "./support/model-server/wires.js";

let folder = "";
let env: LocalEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spillway-models-"));
  env = createLocalEnv({ cwd: folder, environment: process.env, spillFolder: join(folder, "spill") });
});
afterEach(async () => {
  await env.close();
  rmSync(folder, { recursive: true, force: true });
});

const answer: readonly ModelAnswerPart[] = [
  { type: "thinking", text: "I look first. ", data: "signature-1" },
  { type: "thinking", text: "", data: "signature-2", hidden: true },
  { type: "text", text: "I look." },
  { type: "toolCall", name: "bash", input: '{"command":"echo found"}' },
];

test.each(wires.slice(0, 2))("[M4] %s: what the provider wants back outlives the process", async (_name, create) => {
  await using server = await startModelServer();
  server.add(
    answerWith(...answer),
    answerWith({ type: "text", text: "It is there." }),
    answerWith({ type: "text", text: "Yes." }),
  );
  const storage = createJsonlStorage({ folder: join(folder, "sessions") });

  const first = await open(create(server.baseUrl), storage.create("s1"));
  await prompt(first, "Look for it.");
  await first.close();
  const second = await open(create(server.baseUrl), storage.open("s1"));
  await prompt(second, "Sure?");
  await second.close();

  const [, during, later] = server.requests.map(({ body }) => JSON.stringify(body["messages"] ?? body["input"]));
  for (const sent of [during, later]) {
    const order = ["Look for it.", "signature-1", "signature-2", "echo found", "found"].map(
      (text) => sent?.indexOf(text) ?? -1,
    );
    expect(order.every((place, index) => place > (order[index - 1] ?? 0))).toBe(true);
  }
  expect(later).toContain("Sure?");
});

test.each(wires.slice(0, 2))(
  "[M4] %s: viewers of a chat are not sent what is for the provider",
  async (_name, create) => {
    await using server = await startModelServer({ pieceLength: 1_000 });
    server.add(answerWith(...answer), answerWith({ type: "text", text: "It is there." }));
    const harness = await open(
      create(server.baseUrl),
      createJsonlStorage({ folder: join(folder, "sessions") }).create("s1"),
    );
    const lane = harness.lane();
    const chat = createFacetHost(chatFacet, () => lane.view());
    const messages: string[] = [];
    lane.subscribe({ open: () => undefined, receive: (group) => chat.deliver(group), end: () => undefined });
    chat.subscribe({ receive: ({ json }) => void messages.push(json), end: () => undefined });

    await prompt(harness, "Look for it.");
    await harness.close();

    const shown = messages.join();
    expect(shown).toContain("I look first.");
    expect(shown).not.toMatch(/signature-|providerData/);
  },
);

async function open(
  model: Model,
  storage: ReturnType<ReturnType<typeof createJsonlStorage>["open"]>,
): Promise<Harness> {
  return openHarness({ storage: await storage, env, model, tools: [createBashTool()] });
}

async function prompt(harness: Harness, text: string): Promise<void> {
  const result = await (await harness.lane().prompt(text)).settled;
  expect(result).toMatchObject({ status: "completed" });
}
