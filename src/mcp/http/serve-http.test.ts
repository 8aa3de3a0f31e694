import { request } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../exec/index.js";
import { createMcpServers } from "../server.js";
import { serveMcpHttp } from "./serve-http.js";
import type { McpHttpServer } from "./serve-http.js";

const token = "t".repeat(43);
let server: McpHttpServer;
let opened = 0;
beforeAll(async () => {
  const root = { path: "/", isReadable: () => false };
  const open = (): Promise<never> => {
    opened += 1;
    return Promise.reject(new Error("nothing is opened here"));
  };
  const servers = createMcpServers({ version: "0", root, maxBytes: 100, maxLines: 10, open, clock: systemClock });
  server = await serveMcpHttp(servers, { token, onFault: () => undefined });
});
afterAll(() => server.close());

const listTools = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
const good = {
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** By hand, since `fetch` chooses Host by itself. */
function send(
  headers: Readonly<Record<string, string>>,
  { method = "POST", path = "/mcp", body = listTools } = {},
): Promise<{ status: number; text: string }> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (data: string) => (text += data));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(method === "POST" ? body : undefined);
  });
}

test.each([
  ["no token", { ...good, authorization: "" }, {}, 401, "unauthorized"],
  ["another token", { ...good, authorization: `Bearer ${"u".repeat(43)}` }, {}, 401, "unauthorized"],
  ["a token in the address", { ...good, authorization: "" }, { path: `/mcp?token=${token}` }, 401, "unauthorized"],
  ["another host", { ...good, host: "evil.example" }, {}, 421, "wrong_host"],
  ["another port", { ...good, host: "127.0.0.1:1" }, {}, 421, "wrong_host"],
  ["another origin", { ...good, origin: "http://evil.example" }, {}, 403, "wrong_origin"],
  ["no origin that can be named", { ...good, origin: "null" }, {}, 403, "wrong_origin"],
  ["another path", good, { path: "/" }, 404, "not_found"],
  ["another method", good, { method: "PUT" }, 405, "method_not_allowed"],
  ["a session that is not there", { ...good, "mcp-session-id": "x" }, {}, 404, "session_unknown"],
] as const)("[G14] a request with %s is refused", async (_what, headers, options, status, code) => {
  const answer = await send(headers, options);

  expect(answer.status).toBe(status);
  expect(answer.text).toContain(code);
  expect(answer.text).not.toContain(token);
});

test("[G14] a body of another type, one that is no message and one that is too large are refused", async () => {
  const text = await send({ ...good, "content-type": "text/plain" });
  const other = await send(good, { body: "[]" });
  const large = await send(good, { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(1_100_000) }) });

  expect([text.status, other.status, large.status]).toEqual([415, 400, 413]);
});

test("[G14] clients of both kinds are served, and nothing is opened for those that only look", async () => {
  const modes = [{}, { versionNegotiation: { mode: "auto" as const } }];
  const versions: unknown[] = [];
  for (const options of modes) {
    const client = new Client({ name: "test", version: "0" }, options);
    const headers = { Authorization: `Bearer ${token}`, Origin: new URL(server.url).origin };
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
    versions.push(client.getNegotiatedProtocolVersion());
    expect((await client.listTools()).tools).toHaveLength(6);
    await client.close();
  }

  expect(new Set(versions).size).toBe(2);
  expect(opened).toBe(0);
});

test("[G14] a port that is taken is told", async () => {
  const servers = createMcpServers({
    version: "0",
    root: { path: "/", isReadable: () => false },
    maxBytes: 100,
    maxLines: 10,
    open: () => Promise.reject(new Error("never")),
    clock: systemClock,
  });
  const port = Number(new URL(server.url).port);

  const second = serveMcpHttp(servers, { token, port, onFault: () => undefined });

  await expect(second).rejects.toMatchObject({ code: "listen_failed" });
});
