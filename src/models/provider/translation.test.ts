import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import type { ModelPart } from "../contract.js";
import { MAX_ANSWER_LENGTH, Translation } from "./translation.js";
import type { Wire } from "./wire.js";

const wire: Wire = {
  namespace: "test",
  thinking: "signed",
  images: "result",
  marksCache: false,
  needsTools: false,
  dataAtEnd: false,
};
const usage = {
  inputTokens: { total: 1_000_000, noCache: 300_000, cacheRead: 600_000, cacheWrite: 100_000 },
  outputTokens: { total: 10_000, text: undefined, reasoning: undefined },
};
const finish = { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } } as const;

function translate(
  parts: readonly LanguageModelV3StreamPart[],
  translation = new Translation(wire, undefined),
): ModelPart[] {
  return parts.flatMap((part) => [...translation.take(part)]);
}

test("[M4] data of a block follows its text, the later of two values of a name, and ends it", () => {
  const parts = translate([
    { type: "reasoning-start", id: "0", providerMetadata: { test: { signature: "a", kind: 1 } } },
    { type: "reasoning-delta", id: "0", delta: "hm" },
    { type: "reasoning-delta", id: "0", delta: "", providerMetadata: { test: { signature: "b" }, other: { x: 1 } } },
    { type: "reasoning-end", id: "0" },
    { type: "reasoning-start", id: "1", providerMetadata: { test: { redactedData: "xx" } } },
    { type: "reasoning-end", id: "1" },
    { type: "reasoning-start", id: "2" },
    { type: "reasoning-end", id: "2", providerMetadata: { test: { nothing: null } } },
  ]);

  expect(parts).toEqual([
    { type: "thinking", text: "hm" },
    { type: "providerData", providerData: { test: { signature: "b", kind: 1 } } },
    { type: "thinking", text: "" },
    { type: "providerData", providerData: { test: { redactedData: "xx" } } },
  ]);
});

test("[M4] where only the end of a block tells its data, what came before does not count", () => {
  const translation = new Translation({ ...wire, dataAtEnd: true }, undefined);
  const parts = translate(
    [
      { type: "reasoning-start", id: "0", providerMetadata: { test: { encrypted: "half" } } },
      { type: "reasoning-delta", id: "0", delta: "hm", providerMetadata: { test: { id: "r" } } },
      { type: "reasoning-end", id: "0", providerMetadata: { test: { id: "r" } } },
    ],
    translation,
  );

  expect(parts.at(-1)).toEqual({ type: "providerData", providerData: { test: { id: "r" } } });
});

test("[M1] input that was not streamed is stated at the end of its call, which keeps its data", () => {
  const parts = translate([
    {
      type: "tool-call",
      toolCallId: "c1",
      toolName: "ls",
      input: '{"a":1}',
      providerMetadata: { test: { mark: "m" } },
    },
    { type: "tool-input-start", id: "p1", toolName: "web_search", providerExecuted: true },
    { type: "tool-input-start", id: "c2", toolName: "ls" },
    { type: "tool-input-delta", id: "c2", delta: "{}" },
    { ...finish, finishReason: { unified: "length", raw: "length" } },
  ]);

  expect(parts).toEqual([
    { type: "toolCallStart", call: 0, name: "ls", providerCallId: "c1" },
    { type: "toolCallInput", call: 0, text: '{"a":1}' },
    { type: "toolCallEnd", call: 0, providerData: { test: { mark: "m" } } },
    { type: "toolCallStart", call: 1, name: "ls", providerCallId: "c2" },
    { type: "toolCallInput", call: 1, text: "{}" },
    expect.objectContaining({ type: "usage" }),
    { type: "toolCallEnd", call: 1 },
    { type: "finish", reason: "maxTokens" },
  ]);
});

test("[M8] cost is added where a price is known, each kind of token at its own", () => {
  const priced = translate([finish], new Translation(wire, { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 }));
  const plain = translate([finish], new Translation(wire, { input: 10, output: 50 }));
  const free = translate([finish]);

  const counts = { inputTokens: 1_000_000, outputTokens: 10_000, cacheReadTokens: 600_000, cacheWriteTokens: 100_000 };
  expect(priced[0]).toEqual({ type: "usage", usage: { ...counts, costUsd: 3 + 0.6 + 1.25 + 0.5 } });
  expect(plain[0]).toEqual({ type: "usage", usage: { ...counts, costUsd: 10.5 } });
  expect(free[0]).toEqual({ type: "usage", usage: counts });
});

test("[M2] an answer that the provider refuses is a failure that is not tried again, and its usage counts", () => {
  const translation = new Translation(wire, undefined);
  const parts = translation.take({ ...finish, finishReason: { unified: "content-filter", raw: "refusal" } });

  expect(parts.next().value).toMatchObject({ type: "usage" });
  expect(() => parts.next()).toThrow(expect.objectContaining({ code: "refused", retryable: false }));
});

test("[M10] an answer that is longer than the limit is cut off, whatever it is made of", () => {
  const half = "x".repeat(MAX_ANSWER_LENGTH / 2);
  const begin = (): Translation => {
    const translation = new Translation(wire, undefined);
    const call = { type: "tool-input-start", id: "", toolName: "" } as const;
    translate([call, { type: "text-delta", id: "0", delta: half }], translation);
    return translation;
  };
  const beyond: readonly LanguageModelV3StreamPart[] = [
    { type: "text-delta", id: "0", delta: `${half}x` },
    { type: "reasoning-delta", id: "1", delta: `${half}x` },
    { type: "tool-input-delta", id: "", delta: `${half}x` },
    { type: "text-end", id: "0", providerMetadata: { test: { data: half } } },
  ];

  expect(() => translate([{ type: "text-delta", id: "0", delta: half.slice(1) }], begin())).not.toThrow();
  for (const part of beyond) {
    expect(() => translate([part], begin())).toThrow(
      expect.objectContaining({ code: "bad_response", retryable: false }),
    );
  }
});
