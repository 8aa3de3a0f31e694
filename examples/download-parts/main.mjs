// Downloads a file in parts, in a session of its own: node main.mjs URL PATH FOLDER. Kill it at any moment and start it
// again with the same words: it goes on where it was.
import { createLocalEnv } from "../../dist/exec/index.js";
import { openHarness } from "../../dist/harness/index.js";
import { createScriptedModel, parseScript } from "../../dist/models/index.js";
import { createJsonlStorage } from "../../dist/storage/index.js";
import { createDownloadTool } from "./download-tool.mjs";

const [url, path, folder] = process.argv.slice(2);
const script = parseScript({
  version: 1,
  turns: [[{ type: "toolCall", name: "download", args: { url, path } }], [{ type: "text", text: "It is here." }]],
});

const storage = createJsonlStorage({ folder });
const isKnown = (await storage.list()).includes("download");
const env = createLocalEnv({ cwd: process.cwd(), environment: process.env });
const harness = await openHarness({
  storage: isKnown ? await storage.open("download") : await storage.create("download"),
  env,
  model: createScriptedModel(script),
  tools: [createDownloadTool()],
});

const { operations } = await harness.recover();
const isNew = harness.lane().view().transcript.length === 0;
const status = isNew ? (await (await harness.lane().prompt("get it")).settled).status : operations[0]?.status;
await harness.close();
await env.close();
console.log(status ?? "completed");
