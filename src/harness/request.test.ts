import { expect, test } from "vitest";
import type { AssistantEntry, Entry, ToolEntry } from "../protocol/index.js";
import { buildMessages } from "./request.js";

const answer = (id: string, calls: readonly string[]): AssistantEntry => ({
  type: "assistant",
  id,
  operationId: "op_1",
  at: 0,
  message: {
    content: calls.map((toolCallId) => ({ type: "toolCall", toolCallId, name: "bash", input: "", args: {} })),
  },
  stopReason: "toolCalls",
});

const result = (toolCallId: string): ToolEntry => ({
  type: "tool",
  id: `entry_${toolCallId}`,
  operationId: "op_1",
  at: 0,
  toolCallId,
  toolName: "bash",
  args: {},
  isError: false,
  output: {
    content: [{ type: "text", text: toolCallId }],
    details: {},
    terminate: false,
    truncation: { truncated: false, truncatedBy: null, totalLines: 0, totalBytes: 0, maxLines: 1, maxBytes: 1 },
  },
});

const outline = (entries: readonly Entry[]): string[] =>
  buildMessages(entries).map((message) => (message.role === "tool" ? message.toolCallId : message.role));

test("[H6] results follow their answer in call order, in whatever order they ended", () => {
  const entries = [
    answer("a", ["1", "2", "3"]),
    result("3"),
    result("1"),
    result("2"),
    answer("b", ["4"]),
    result("4"),
  ];

  expect(outline(entries)).toEqual(["assistant", "1", "2", "3", "assistant", "4"]);
});

test("[H6] a call of which no result is stored gets one that says so", () => {
  const messages = buildMessages([answer("a", ["1", "2"]), result("2")]);

  expect(messages[1]).toMatchObject({ role: "tool", toolCallId: "1", isError: true });
  expect(messages[2]).toMatchObject({ role: "tool", toolCallId: "2", isError: false });
});
