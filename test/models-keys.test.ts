import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalEnv } from "../src/exec/index.js";
import { openHarness } from "../src/harness/index.js";
import { openModel } from "../src/models/index.js";
import type { Model } from "../src/models/index.js";
import { createJsonlStorage } from "../src/storage/index.js";
import { createBashTool } from "../src/tools/index.js";
import { startModelServer } from "./support/model-server/server.js";
import { answerWith } from "./support/model-server/turn.js";

const CANARY = "sk-canary-9f8e7d6c5b4a-models";
let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "spillway-keys-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PROVIDERS = [
  ["anthropic:claude-test", "ANTHROPIC_API_KEY", "SPILLWAY_ANTHROPIC_KEY_COMMAND"],
  ["openai:gpt-5-test", "OPENAI_API_KEY", "SPILLWAY_OPENAI_KEY_COMMAND"],
  ["server", "SPILLWAY_SERVER_KEY", "SPILLWAY_SERVER_KEY_COMMAND"],
] as const;

test.each(PROVIDERS)(
  "[M7] [X19] %s: a key of the environment reaches the provider and nothing else",
  async (name, variable) => {
    await using server = await startModelServer();
    const environment = { ...process.env, [variable]: CANARY };
    const model = await openModel(name === "server" ? `${server.baseUrl}#m` : name, {
      environment,
      baseUrl: server.baseUrl,
    });
    const call = {
      type: "toolCall",
      name: "bash",
      input: JSON.stringify({ command: `env; echo "[$${variable}]"` }),
    } as const;
    const said = { error: { type: "authentication_error", message: `Incorrect key ${CANARY}`, header: CANARY } };
    server.add(answerWith({ type: "thinking", text: "hm", data: "s" }, call), { status: 401, body: said });

    const told = await runPrompt(model, environment);

    expect(server.requests.map(({ headers }) => JSON.stringify(headers).includes(CANARY))).toEqual([true, true]);
    expect(told).toContain("Incorrect key [key]");
    expect(told).toContain("[]");
    expect(told).not.toContain(CANARY);
  },
);

test.each(PROVIDERS)(
  "[M7] [X19] %s: a key that a command prints reaches the provider and nothing else",
  async (name, variable, commandVariable) => {
    await using server = await startModelServer();
    const seen = join(folder, "seen");
    writeFileSync(join(folder, "key"), CANARY);
    const command = `env > '${seen}'; cat '${join(folder, "key")}'`;
    const environment = { ...process.env, [variable]: "sk-of-the-environment", [commandVariable]: command };
    const model = await openModel(name === "server" ? `${server.baseUrl}#m` : name, {
      environment,
      baseUrl: server.baseUrl,
    });
    const call = { type: "toolCall", name: "bash", input: '{"command":"env"}' } as const;
    server.add(
      answerWith(call),
      { status: 401, body: { error: { message: CANARY } } },
      answerWith({ type: "text", text: "ok" }),
    );

    const told = await runPrompt(model, environment);
    rmSync(join(folder, "key"));
    const later = collectFailure(model);

    expect(JSON.stringify(server.requests[0]?.headers)).toContain(CANARY);
    expect(told).not.toContain(CANARY);
    expect(told).not.toContain("sk-of-the-environment");
    expect(readFileSync(seen, "utf8")).not.toContain("sk-of-the-environment");
    // The key was refused, so the command is asked again, which has none any more.
    await expect(later).resolves.toMatchObject({ code: "key_command_failed" });
  },
);

test("[M7] a redirect is not followed, because it would be sent the key", async () => {
  await using server = await startModelServer();
  await using elsewhere = await startModelServer();
  server.add({ status: 308, headers: { location: `${elsewhere.baseUrl}/messages` } });
  const model = await openModel("anthropic:x", { key: CANARY, baseUrl: server.baseUrl });

  await expect(collectFailure(model)).resolves.toMatchObject({ code: "bad_response", retryable: false });
  expect(elsewhere.requests).toEqual([]);
});

/** Everything that is left of a prompt: what was shown, thrown, stored and spilled. */
async function runPrompt(model: Model, environment: NodeJS.ProcessEnv): Promise<string> {
  const spillFolder = join(folder, "spill");
  const env = createLocalEnv({ cwd: folder, environment, spillFolder });
  const storage = await createJsonlStorage({ folder: join(folder, "sessions") }).create("s1");
  const harness = await openHarness({ storage, env, model, tools: [createBashTool()] });
  const lane = harness.lane();
  const events: unknown[] = [];
  lane.subscribe({ open: () => undefined, receive: (group) => void events.push(group), end: () => undefined });
  const result = await (await lane.prompt("look around")).settled;
  const shown = inspect([model, harness, result, events, lane.view()], { depth: 20, showHidden: true });
  await harness.close();
  await env.close();
  return [shown, JSON.stringify([model, result, events]), process.title, ...readAll(join(folder, "sessions"))].join(
    "\n",
  );
}

function readAll(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}

async function collectFailure(model: Model): Promise<unknown> {
  const parts = model.stream({ messages: [{ role: "user", text: "go" }], tools: [] }, new AbortController().signal);
  return parts[Symbol.asyncIterator]()
    .next()
    .catch((error: unknown) => error);
}
