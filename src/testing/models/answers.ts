import { collect, inputOf, join } from "./stage.js";
import type { ModelCase } from "./stage.js";

const FOX = "🦊";
const long = `${FOX.repeat(40)} ${"x".repeat(300)}\n`;

export const answerCases: readonly ModelCase[] = [
  {
    title: "[M1] the texts of an answer join to what was said, and its end is its last part",
    answers: [{ parts: [{ type: "text", text: long }] }],
    async run({ model, assert }) {
      const parts = await collect(model);
      assert.equal(join(parts, "text"), long);
      assert.deepEqual(parts.at(-1), { type: "finish", reason: "end" });
      assert.equal(parts.filter(({ type }) => type === "finish").length, 1);
    },
  },
  {
    title: "[M1] no part ends in half a character",
    answers: [
      {
        parts: [
          { type: "text", text: FOX.repeat(50) },
          { type: "toolCall", name: "bash", input: JSON.stringify({ command: FOX.repeat(50) }) },
        ],
      },
    ],
    async run({ model, assert }) {
      const parts = await collect(model);
      const texts = parts.flatMap((part) => ("text" in part ? [part.text] : []));
      assert.deepEqual(
        texts.filter((text) => !text.isWellFormed()),
        [],
      );
      assert.equal(join(parts, "text"), FOX.repeat(50));
    },
  },
  {
    title: "[M1] calls are numbered in the order of their starts, and each has a start, its input and an end",
    answers: [
      {
        parts: [
          { type: "text", text: "Two at once." },
          { type: "toolCall", name: "bash", input: '{"command":"make"}' },
          { type: "toolCall", name: "bash", input: '{"command":"ls -la"}' },
        ],
      },
    ],
    async run({ model, assert }) {
      const parts = await collect(model);
      const starts = parts.flatMap((part) => (part.type === "toolCallStart" ? [part.call] : []));
      const ends = parts.flatMap((part) => (part.type === "toolCallEnd" ? [part.call] : []));
      assert.deepEqual(starts, [0, 1]);
      assert.deepEqual(new Set(ends), new Set([0, 1]));
      assert.equal(ends.length, 2);
      assert.deepEqual(JSON.parse(inputOf(parts, 0)), { command: "make" });
      assert.deepEqual(JSON.parse(inputOf(parts, 1)), { command: "ls -la" });
      for (const call of [0, 1])
        assert.deepEqual(kindsOf(parts, call), ["toolCallStart", "toolCallInput", "toolCallEnd"]);
      assert.deepEqual(parts.at(-1), { type: "finish", reason: "toolCalls" });
    },
  },
  {
    title: "[M1] a call without arguments has input that is empty or an empty object",
    answers: [{ parts: [{ type: "toolCall", name: "bash", input: "{}" }] }],
    async run({ model, assert }) {
      const parts = await collect(model);
      assert.equal(["", "{}"].includes(inputOf(parts, 0)), true);
    },
  },
  {
    title: "[M1] input that is no JSON is given as it is",
    needs: "state malformed input",
    answers: [{ parts: [{ type: "toolCall", name: "bash", input: '{"command": "make' }] }],
    async run({ model, assert }) {
      const parts = await collect(model);
      assert.equal(inputOf(parts, 0), '{"command": "make');
      assert.equal(parts.filter(({ type }) => type === "toolCallEnd").length, 1);
    },
  },
  {
    title: "[M1] what the model thinks is told apart from what it says",
    needs: "think",
    answers: [
      {
        parts: [
          { type: "thinking", text: long, data: "signed" },
          { type: "text", text: "Done." },
        ],
      },
    ],
    async run({ model, assert }) {
      const parts = await collect(model);
      assert.equal(join(parts, "thinking"), long);
      assert.equal(join(parts, "text"), "Done.");
    },
  },
  {
    title: "[M1] an answer that reached its limit says so",
    needs: "reach a limit",
    answers: [{ parts: [{ type: "text", text: "It was the be" }], reason: "maxTokens" }],
    async run({ model, assert }) {
      assert.deepEqual((await collect(model)).at(-1), { type: "finish", reason: "maxTokens" });
    },
  },
  {
    title: "[M8] usage counts all input, and what a cache served or took as parts of it",
    needs: "count tokens",
    answers: [
      {
        parts: [{ type: "text", text: "ok" }],
        usage: { inputTokens: 1_000, outputTokens: 7, cacheReadTokens: 600, cacheWriteTokens: 0 },
      },
    ],
    async run({ model, assert }) {
      const usages = (await collect(model)).flatMap((part) => (part.type === "usage" ? [part.usage] : []));
      assert.equal(usages.length, 1);
      assert.equal(usages[0]?.inputTokens, 1_000);
      assert.equal(usages[0]?.outputTokens, 7);
      assert.equal(usages[0]?.cacheReadTokens, 600);
    },
  },
];

/** The kinds of a call's parts in their order, several of a kind once. */
function kindsOf(parts: Awaited<ReturnType<typeof collect>>, call: number): string[] {
  const kinds = parts.flatMap((part) => ("call" in part && part.call === call ? [part.type] : []));
  return kinds.filter((kind, index) => kind !== kinds[index - 1]);
}
