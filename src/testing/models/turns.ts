import { ask, collect, contentOf, join } from "./stage.js";
import type { ModelCase } from "./stage.js";

const call = { type: "toolCall", name: "bash", input: '{"command":"make"}' } as const;

export const turnCases: readonly ModelCase[] = [
  {
    title: "[M4] an answer and the results of its calls are taken back, and the next answer follows",
    answers: [
      { parts: [{ type: "text", text: "I build." }, call, call] },
      { parts: [{ type: "text", text: "Built." }] },
    ],
    async run({ model, assert }) {
      const content = contentOf(await collect(model));
      const results = content.flatMap((part) => (part.type === "toolCall" ? [resultOf(part)] : []));

      const parts = await collect(model, ask({ role: "assistant", content }, ...results));

      assert.equal(results.length, 2);
      assert.equal(join(parts, "text"), "Built.");
    },
  },
  {
    title: "[M3] a request that was aborted before it was made throws the reason",
    answers: [{ parts: [{ type: "text", text: "never" }] }],
    async run({ model, assert }) {
      const reason = new Error("stop");
      const thrown = await collect(model, ask(), AbortSignal.abort(reason)).catch((error: unknown) => error);
      assert.equal(thrown, reason);
    },
  },
  {
    title: "[M3] an answer that does not go on ends with the abort's reason",
    answers: [{ parts: [{ type: "text", text: "One moment" }], hangs: true }],
    async run({ model, assert }) {
      const controller = new AbortController();
      const reason = new Error("stop");
      let text = "";
      const reading = (async () => {
        for await (const part of model.stream(ask(), controller.signal)) {
          if (part.type === "text") text += part.text;
          if (text === "One moment") controller.abort(reason);
        }
      })();
      assert.equal(await reading.catch((error: unknown) => error), reason);
      assert.equal(text, "One moment");
    },
  },
  {
    title: "[M3] whoever stops reading is let go",
    answers: [{ parts: [{ type: "text", text: "x".repeat(2_000) }], hangs: true }],
    async run({ model, assert }) {
      let count = 0;
      for await (const part of model.stream(ask(), new AbortController().signal)) {
        count += 1;
        if (part.type === "text") break;
      }
      assert.equal(count > 0, true);
    },
  },
];

function resultOf({ toolCallId, providerCallId, name }: { toolCallId: string; providerCallId?: string; name: string }) {
  return {
    role: "tool",
    toolCallId,
    ...(providerCallId === undefined ? {} : { providerCallId }),
    toolName: name,
    isError: false,
    content: [{ type: "text", text: "ok" }],
  } as const;
}
