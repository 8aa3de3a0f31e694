import { expect, test } from "vitest";
import type { ModelMessage, ModelPart, ModelRequest } from "../src/models/index.js";
import type { AssistantPart } from "../src/protocol/index.js";
import type { ModelAnswerPart } from "../src/testing/index.js";
import { contentOf, tool } from "../src/testing/models/stage.js";
import { startModelServer } from "./support/model-server/server.js";
import type { ReceivedRequest } from "./support/model-server/server.js";
import { answerWith } from "./support/model-server/turn.js";
import { KEY, wires } from "./support/model-server/wires.js";

type Answer = readonly ModelAnswerPart[];

const image = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
const user: ModelMessage = { role: "user", text: "go" };

function result(toolCallId: string, more: Partial<Extract<ModelMessage, { role: "tool" }>> = {}): ModelMessage {
  const content = [{ type: "text", text: `out of ${toolCallId}` }] as const;
  return { role: "tool", toolCallId, toolName: "bash", isError: false, content, ...more };
}

function call(toolCallId: string, more: Partial<Extract<AssistantPart, { type: "toolCall" }>> = {}): AssistantPart {
  return { type: "toolCall", toolCallId, name: "bash", input: "", args: { command: "ls" }, ...more };
}

/** Has a model say something, then asks it again with what it said, and gives the second request. */
async function sendBack(
  name: string,
  answer: Answer,
  ...more: readonly ModelMessage[]
): Promise<ReceivedRequest["body"]> {
  await using server = await startModelServer();
  server.add(answerWith(...answer), answerWith({ type: "text", text: "ok" }));
  const first = await read(name, server.baseUrl, { messages: [user], tools: [tool] });
  const content = contentOf(first);
  const results = content.flatMap((part) => (part.type === "toolCall" ? [result(part.toolCallId)] : []));
  await read(name, server.baseUrl, {
    messages: [user, { role: "assistant", content }, ...results, ...more],
    tools: [tool],
  });
  return server.requests[1]?.body ?? {};
}

/** The body that a request becomes. */
async function send(name: string, request: ModelRequest): Promise<ReceivedRequest> {
  await using server = await startModelServer();
  server.add(answerWith({ type: "text", text: "ok" }));
  await read(name, server.baseUrl, request);
  const [received] = server.requests;
  if (received === undefined) throw new Error("Nothing was sent.");
  return received;
}

async function read(name: string, baseUrl: string, request: ModelRequest): Promise<readonly ModelPart[]> {
  const create = wires.find(([known]) => known === name)?.[1];
  const parts: ModelPart[] = [];
  for await (const part of create?.(baseUrl).stream(request, new AbortController().signal) ?? []) parts.push(part);
  return parts;
}

test("[M4] Anthropic's thinking goes back as it came, hidden or not, signed and in its place", async () => {
  const body = await sendBack("Anthropic", [
    { type: "thinking", text: "First I look. 🦊", data: "sig/1==" },
    { type: "thinking", text: "", data: "encrypted==", hidden: true },
    { type: "text", text: "I look." },
    { type: "toolCall", name: "bash", input: '{"command":"ls"}' },
    { type: "toolCall", name: "bash", input: "{}" },
  ]);

  expect(body["messages"]).toMatchObject([
    { role: "user", content: [{ type: "text", text: "go" }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "First I look. 🦊", signature: "sig/1==" },
        { type: "redacted_thinking", data: "encrypted==" },
        { type: "text", text: "I look." },
        { type: "tool_use", id: "toolu_3", name: "bash", input: { command: "ls" } },
        { type: "tool_use", id: "toolu_4", name: "bash", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_3", content: "out of call_1" },
        { type: "tool_result", tool_use_id: "toolu_4", content: "out of call_2" },
      ],
    },
  ]);
});

test("[M4] OpenAI's thinking goes back encrypted, nothing is kept there, and only what was complete counts", async () => {
  const body = await sendBack("OpenAI", [
    { type: "thinking", text: "I look.", data: "encrypted/1" },
    { type: "thinking", text: "", data: "encrypted/2", hidden: true },
    { type: "toolCall", name: "bash", input: '{"command":"ls"}' },
  ]);

  expect(body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"], stream: true });
  expect(body["input"]).toEqual([
    { role: "user", content: [{ type: "input_text", text: "go" }] },
    {
      type: "reasoning",
      id: "rs_0",
      encrypted_content: "encrypted/1",
      summary: [{ type: "summary_text", text: "I look." }],
    },
    { type: "reasoning", id: "rs_1", encrypted_content: "encrypted/2", summary: [] },
    { type: "function_call", call_id: "call_2", name: "bash", arguments: '{"command":"ls"}' },
    { type: "function_call_output", call_id: "call_2", output: "out of call_1" },
  ]);
});

test("[M4] a server gets what was thought between calls back, and no more of it after the user spoke", async () => {
  const answer: Answer = [
    { type: "thinking", text: "I look." },
    { type: "toolCall", name: "bash", input: '{"command":"ls"}' },
  ];

  const during = await sendBack("a server", answer);
  const after = await sendBack("a server", answer, user);

  expect(during["messages"]).toMatchObject([
    { role: "user" },
    { role: "assistant", content: null, reasoning_content: "I look.", tool_calls: [{ id: "call_0" }] },
    { role: "tool", tool_call_id: "call_0", content: "out of call_1" },
  ]);
  expect(JSON.stringify(after)).not.toContain("I look.");
});

test("[M4] data of one provider is not sent to another, and thinking that nobody signed is left out", async () => {
  const content: AssistantPart[] = [
    { type: "thinking", text: "secret plan", providerData: { elsewhere: { signature: "s" } } },
    { type: "text", text: "Hello.", providerData: { elsewhere: { itemId: "i" } } },
    call("call_1", { providerData: { elsewhere: { mark: "m" } } }),
  ];
  const request = { messages: [user, { role: "assistant", content }, result("call_1")], tools: [tool] } as const;

  for (const [name] of wires) {
    const sent = JSON.stringify((await send(name, request)).body);
    expect(sent).toContain("Hello.");
    expect(sent).not.toMatch(/secret plan|elsewhere|signature|itemId/);
  }
});

test.each(wires)(
  "[M5] %s: ids that are missing, odd or repeated become ours, and each result keeps its call's",
  async (name) => {
    const content = [
      call("call_a", { providerCallId: "same" }),
      call("call_b", { providerCallId: "same" }),
      call("call_c", { providerCallId: "functions.bash:0" }),
      call("call_d"),
    ];
    const ids = ["a", "b", "c", "d"].map((letter) => `call_${letter}`);
    const { body } = await send(name, {
      messages: [user, { role: "assistant", content }, ...ids.map((id) => result(id))],
      tools: [],
    });

    const sent = JSON.stringify(body);
    const named = [...sent.matchAll(/"(?:id|call_id)":"(same|call_\w)"/g)].map(([, id]) => id);
    expect(new Set(named)).toEqual(new Set(["same", "call_b", "call_c", "call_d"]));
    for (const [id, text] of [
      ["same", "a"],
      ["call_b", "b"],
      ["call_c", "c"],
      ["call_d", "d"],
    ]) {
      expect(sent).toMatch(
        new RegExp(`"(tool_use_id|call_id|tool_call_id)":"${id}","(content|output)":"out of call_${text}"`),
      );
    }
  },
);

test.each(wires)("[M5] %s: arguments that were no object go back as the text that they were", async (name) => {
  const content = [call("call_1", { args: ["ls"] }), noJson("call_2", '{"command": "l'), noJson("call_3", "")];
  const results = ["call_1", "call_2", "call_3"].map((id) => result(id, { isError: true }));
  const { body } = await send(name, { messages: [user, { role: "assistant", content }, ...results], tools: [tool] });

  const sent = JSON.stringify(body).replaceAll("\\", "");
  expect(sent).toContain('{"unparsed":"["ls"]"}');
  expect(sent).toContain('{"unparsed":"{"command": "l"}');
});

test.each([
  ["Anthropic", { type: "image", source: { type: "base64", media_type: "image/png", data: image.data } }],
  ["OpenAI", { type: "input_image", image_url: `data:image/png;base64,${image.data}` }],
  ["a server", { type: "image_url", image_url: { url: `data:image/png;base64,${image.data}` } }],
])("[M5] %s: images of results are passed on where the wire takes them", async (name, expected) => {
  const content = [call("call_1"), call("call_2")];
  const pictured = result("call_1", { content: [{ type: "text", text: "a picture" }, image] });
  const { body } = await send(name, {
    messages: [user, { role: "assistant", content }, pictured, result("call_2")],
    tools: [tool],
  });

  expect(JSON.stringify(body)).toContain(JSON.stringify(expected));
  if (name !== "a server") return;
  expect((body["messages"] as { role: string }[]).map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "tool",
    "user",
  ]);
});

test("[M5] a model without eyes is told that there was an image", async () => {
  await using server = await startModelServer();
  server.add(answerWith({ type: "text", text: "ok" }));
  const model = wires[2]?.[1](server.baseUrl, { images: false });
  const messages = [user, { role: "assistant", content: [call("c")] }, result("c", { content: [image] })] as const;
  for await (const _part of model?.stream({ messages, tools: [] }, new AbortController().signal) ?? []);

  const sent = JSON.stringify(server.requests[0]?.body);
  expect(sent).toContain("[an image (image/png) is not shown to this model]");
  expect(sent).not.toContain(image.data);
});

test.each(wires)(
  "[M5] %s: what providers refuse is not sent: empty texts, halves of characters, answers that are none",
  async (name) => {
    const { body } = await send(name, {
      system: "You \ud83e are brief.",
      messages: [
        { role: "user", text: " " },
        { role: "assistant", content: [{ type: "thinking", text: "cut off" }] },
        { role: "assistant", content: [] },
        { role: "user", text: "half \ud83e" },
        { role: "assistant", content: [{ type: "text", text: " \n" }, call("c")] },
        result("c", { isError: true, content: [{ type: "text", text: "\udd8a" }] }),
      ],
      tools: [tool],
    });

    const sent = JSON.stringify(body);
    expect(sent).not.toMatch(/\\ud|"text":"\s*"|"content":\[\]/);
    expect([...sent.matchAll(/"assistant"/g)].length + [...sent.matchAll(/"function_call"/g)].length).toBe(1);
  },
);

test("[M5] a failed call is marked as failed where the wire has a mark, also with an image", async () => {
  const results = [
    result("call_1", {
      isError: true,
      content: [
        { type: "text", text: "boom" },
        { type: "text", text: "[why]", notice: true },
      ],
    }),
    result("call_2", { isError: true, content: [{ type: "text", text: "boom" }, image] }),
  ];
  const messages = [user, { role: "assistant", content: [call("call_1"), call("call_2")] }, ...results] as const;
  const { body } = await send("Anthropic", { messages, tools: [tool] });

  const [first, second] = (body["messages"] as { content: unknown[] }[]).at(-1)?.content ?? [];
  expect(first).toMatchObject({ content: "boom\n[why]", is_error: true });
  expect(second).toMatchObject({ content: [{ text: "[the call failed]" }, { text: "boom" }, { type: "image" }] });
});

test("[M5] Anthropic is told what to keep: the instructions, the end, and the end of the request before", async () => {
  const messages = [user, { role: "assistant", content: [call("c")] }, result("c")] as const;
  const { body } = await send("Anthropic", { system: "Be brief.", messages, tools: [tool] });

  const cache_control = { type: "ephemeral" };
  expect(body["system"]).toEqual([{ type: "text", text: "Be brief.", cache_control }]);
  const [asked, , results] = body["messages"] as { content: unknown[] }[];
  expect([asked?.content.at(-1), results?.content.at(-1)]).toMatchObject([{ cache_control }, { cache_control }]);
});

test("[M5] a summary without tools is a request that Anthropic takes", async () => {
  const messages = [user, { role: "assistant", content: [call("c")] }, result("c"), user] as const;
  const { body } = await send("Anthropic", { messages, tools: [], maxOutputTokens: 777 });

  expect(body).toMatchObject({ tools: [{ name: "bash" }], tool_choice: { type: "none" }, max_tokens: 777 });
});

test.each([
  ["Anthropic", "/v1/messages", { "x-api-key": KEY }],
  ["OpenAI", "/v1/responses", { authorization: `Bearer ${KEY}` }],
  ["a server", "/v1/chat/completions", { authorization: `Bearer ${KEY}` }],
])("[M7] %s: the key goes into its header, and nowhere else", async (name, path, header) => {
  const request = await send(name, { system: "Be brief.", messages: [user], tools: [tool] });

  expect(request.path).toBe(path);
  expect(request.headers).toMatchObject(header);
  expect(JSON.stringify(request.body)).not.toContain(KEY);
  expect(JSON.stringify(request.body)).toContain(tool.description);
});

function noJson(toolCallId: string, input: string): AssistantPart {
  return { type: "toolCall", toolCallId, name: "bash", input };
}
