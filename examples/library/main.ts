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
  async execute(_id, params, _signal, out) {
    const { town } = params as { town: string };
    out.write(`It rains in ${town}.\n`);
  },
};

const model: Model = {
  id: "own",
  async *stream({ messages }) {
    const last = messages.at(-1);
    if (last?.role === "tool") {
      yield { type: "text", text: "Take an umbrella." };
      yield { type: "finish", reason: "end" };
    } else {
      yield { type: "toolCallStart", call: 0, name: "weather" };
      yield { type: "toolCallInput", call: 0, text: '{"town":"Bergen"}' };
      yield { type: "toolCallEnd", call: 0 };
      yield { type: "finish", reason: "toolCalls" };
    }
  },
};

const storage = await createMemoryStorage().create("walk");
await using env = createLocalEnv({ cwd: process.cwd(), environment: process.env });
await using harness = await openHarness({ storage, env, model, tools: [weather] });
const lane = harness.lane();
lane.subscribe({
  open: () => undefined,
  receive(events) {
    for (const event of events) {
      if (event.type === "tool_start") console.log(event.args);
      else if (!("ops" in event)) console.log(event.type);
    }
  },
  end: () => console.log("closed"),
});
const operation = await lane.prompt("What do I wear?");
console.log((await operation.settled).status);
