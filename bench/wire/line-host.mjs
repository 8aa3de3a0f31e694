// A process that runs a command through every layer and serves its lane: exec, tools, harness, facet, wire.
import { createLocalEnv } from "../dist/spillway/exec/index.js";
import { chatFacet, createFacetHost } from "../dist/spillway/facet/index.js";
import { openHarness } from "../dist/spillway/harness/index.js";
import { createScriptedModel } from "../dist/spillway/models/index.js";
import { createMemoryStorage } from "../dist/spillway/storage/index.js";
import { createBashTool } from "../dist/spillway/tools/index.js";
import { createWireServer } from "../dist/spillway/wire/index.js";
import { answerParent, childInput } from "../lib/children.mjs";
import { waitUntil } from "./pace.mjs";
import { createSource, TOKEN } from "./played-lane.mjs";

/** @type {{ socketPath: string, folder: string, command: string }} */
const { socketPath, folder, command } = childInput();
const env = createLocalEnv({ cwd: folder, environment: process.env, spillFolder: `${folder}/spill`, home: folder });
const harness = await openHarness({
  storage: await createMemoryStorage().create("s_1"),
  env,
  model: createScriptedModel({
    version: 1,
    turns: [[{ type: "toolCall", name: "bash", args: { command } }], [{ type: "text", text: "done" }]],
  }),
  tools: [createBashTool()],
});
const lane = harness.lane();
const chat = createFacetHost(chatFacet, () => lane.view());
lane.subscribe({ open: () => undefined, receive: (group) => chat.deliver(group), end: () => chat.close() });
const server = createWireServer({ source: createSource(chat), tokens: { view: TOKEN, control: `${TOKEN}-control` } });
await server.listenUnix(socketPath);
await waitUntil(() => server.counters.open === 1, "the consumer");

const operation = await lane.prompt("run it");
const { status } = await operation.settled;
await harness.close();
await server.idle(1_000);
await server.close();
await env.close();
answerParent({ status });
