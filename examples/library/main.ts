// An agent with a tool and a model of one's own, in a session that lives in memory.
import { createLocalEnv } from "spillway/exec";
import { openHarness } from "spillway/harness";
import type { Model } from "spillway/models";
import { createMemoryStorage } from "spillway/storage";
import type { AgentHarnessTool } from "spillway/tools";

const weather: AgentHarnessTool = {
  name: "weather",
  description: "The weather of a town",
  parameters: { type: "object", properties: { town: { type: "string" } }, required: ["town"] },
  execute: async (_id, params, _signal, out) => out.write(`It rains in ${(params as { town: string }).town}.\n`),
};

const model: Model = {
  id: "own",
  async *stream({ messages }) {
    const isAsked = messages.at(-1)?.role === "user";
    if (isAsked) {
      yield { type: "toolCallStart", call: 0, name: "weather" };
      yield { type: "toolCallInput", call: 0, text: '{"town":"Bergen"}' };
      yield { type: "toolCallEnd", call: 0 };
    } else yield { type: "text", text: "Take an umbrella." };
    yield { type: "finish", reason: isAsked ? "toolCalls" : "end" };
  },
};

await using env = createLocalEnv({ cwd: process.cwd(), environment: process.env });
const storage = await createMemoryStorage().create("walk");
await using harness = await openHarness({ storage, env, model, tools: [weather] });
harness.lane().subscribe({
  open: () => undefined,
  receive: (events) => {
    for (const event of events) if (!("ops" in event)) console.log("args" in event ? event.args : event.type);
  },
  end: () => console.log("closed"),
});
const { settled } = await harness.lane().prompt("What do I wear?");
console.log((await settled).status);
