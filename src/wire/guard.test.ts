import { expect, test } from "vitest";
import { chatPath, serveLane, tokens } from "./fixtures/served-lane.js";
import { sendHead } from "./fixtures/raw-http.js";
import { askJson } from "./http-client.js";
import { routes } from "./routes.js";

const page = new Map([
  ["/", { type: "text/html; charset=utf-8", body: "<!doctype html><title>x</title>" }],
  ["/app.js", { type: "text/javascript", body: "0" }],
]);

interface Flaw {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  /** Whether it is one for a route of this access and method. */
  readonly applies: (route: { readonly access?: string; readonly method: string }) => boolean;
  readonly change: (headers: Record<string, string>) => Record<string, string>;
  readonly method?: string;
}

const always = (): boolean => true;
const guarded: Flaw["applies"] = ({ access }) => access !== undefined;
const writing: Flaw["applies"] = ({ method }) => method !== "GET";

function without(...names: string[]) {
  return (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
function withHeader(name: string, value: string) {
  return (headers: Record<string, string>): Record<string, string> => ({ ...headers, [name]: value });
}

const flaws: Flaw[] = [
  { name: "no token", status: 401, code: "unauthorized", applies: guarded, change: without("Authorization") },
  {
    name: "a wrong token",
    status: 401,
    code: "unauthorized",
    applies: guarded,
    change: withHeader("Authorization", "Bearer wrong"),
  },
  {
    name: "a token of another kind",
    status: 401,
    code: "unauthorized",
    applies: guarded,
    change: withHeader("Authorization", `Basic ${tokens.control}`),
  },
  {
    name: "the view token",
    status: 403,
    code: "forbidden",
    applies: ({ access }) => access === "control",
    change: withHeader("Authorization", `Bearer ${tokens.view}`),
  },
  {
    name: "a foreign Origin",
    status: 403,
    code: "wrong_origin",
    applies: always,
    change: withHeader("Origin", "http://evil.example"),
  },
  {
    name: "an Origin of null",
    status: 403,
    code: "wrong_origin",
    applies: always,
    change: withHeader("Origin", "null"),
  },
  {
    name: "an https Origin",
    status: 403,
    code: "wrong_origin",
    applies: always,
    change: (headers) => ({ ...headers, Origin: `https://${headers["Host"]}` }),
  },
  {
    name: "a browser's request without Origin",
    status: 403,
    code: "wrong_origin",
    applies: writing,
    change: withHeader("Sec-Fetch-Site", "same-origin"),
  },
  {
    name: "a foreign Host",
    status: 421,
    code: "wrong_host",
    applies: always,
    change: withHeader("Host", "evil.example"),
  },
  {
    name: "the Host of another port",
    status: 421,
    code: "wrong_host",
    applies: always,
    change: withHeader("Host", "127.0.0.1:1"),
  },
  {
    name: "a Host with a longer name",
    status: 421,
    code: "wrong_host",
    applies: always,
    change: (headers) => ({ ...headers, Host: `x.${headers["Host"]}` }),
  },
  {
    name: "text/plain",
    status: 415,
    code: "unsupported_media_type",
    applies: writing,
    change: withHeader("Content-Type", "text/plain"),
  },
  {
    name: "a form",
    status: 415,
    code: "unsupported_media_type",
    applies: writing,
    change: withHeader("Content-Type", "multipart/form-data; boundary=x"),
  },
  { name: "no type", status: 415, code: "unsupported_media_type", applies: writing, change: without("Content-Type") },
  {
    name: "a body of 1 MB",
    status: 413,
    code: "payload_too_large",
    applies: writing,
    change: withHeader("Content-Length", "1000000"),
  },
  {
    name: "OPTIONS",
    status: 405,
    code: "method_not_allowed",
    applies: always,
    change: (headers) => headers,
    method: "OPTIONS",
  },
  {
    name: "DELETE",
    status: 405,
    code: "method_not_allowed",
    applies: ({ method }) => method !== "DELETE",
    change: (headers) => headers,
    method: "DELETE",
  },
  {
    name: "HEAD",
    status: 405,
    code: "method_not_allowed",
    applies: always,
    change: (headers) => headers,
    method: "HEAD",
  },
];

const places = [
  ...[...page.keys()].map((path) => ({ path, methods: ["GET"] })),
  ...routes.map((route) => ({
    ...route,
    path: route.path
      .replace(":session", "s_1")
      .replace(":lane", "main")
      .replace(":facet", "chat")
      .replace(":operation", "op_1")
      .replace(":call", "call_1")
      .replace(":entry", "q_1"),
  })),
];

/** Of several flaws the one that is checked first is told. */
const CHECKS = [
  "wrong_host",
  "wrong_origin",
  "unauthorized",
  "method_not_allowed",
  "forbidden",
  "unsupported_media_type",
  "payload_too_large",
];
const isOfToken = ({ code }: Flaw): boolean => code === "unauthorized" || code === "forbidden";

/** Each flaw alone, and each of the token's with each other one. */
const flawSets: Flaw[][] = [
  ...flaws.map((flaw) => [flaw]),
  ...flaws.filter(isOfToken).flatMap((first) => flaws.filter((flaw) => !isOfToken(flaw)).map((flaw) => [first, flaw])),
];

const matrix = places.flatMap((place) =>
  place.methods.flatMap((method) =>
    flawSets
      .filter((set) => set.every(({ applies }) => applies({ ...place, method })))
      .map((set) => ({ method, path: place.path, set })),
  ),
);

// The body that is announced here is never sent: an answer at all means that the head alone was enough for it.
test("[W3] every route refuses what it must by the head alone, before a body is read", async () => {
  await using stage = await serveLane({ page });
  const good = (method: string): Record<string, string> => ({
    Host: `127.0.0.1:${stage.port}`,
    Authorization: `Bearer ${tokens.control}`,
    ...(method !== "GET" && { "Content-Type": "application/json", "Content-Length": "1000" }),
  });
  const failures: string[] = [];

  for (const { method, path, set } of matrix) {
    const [told] = [...set].sort((a, b) => CHECKS.indexOf(a.code) - CHECKS.indexOf(b.code));
    const sent = set.find((flaw) => flaw.method !== undefined)?.method ?? method;
    const headers = set.reduce((changed, flaw) => flaw.change(changed), good(method));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const answer = await sendHead(stage.port, [`${sent} ${path} HTTP/1.1`, ...lines]);
    const said = sent === "HEAD" || answer.body.includes(`"code":"${told?.code}"`);
    if (answer.status !== told?.status || !said || answer.head.includes("access-control")) {
      failures.push(
        `${sent} ${path} with ${set.map(({ name }) => name).join(" and ")}: ${answer.status} ${answer.body}`,
      );
    }
  }

  expect(matrix.length).toBeGreaterThan(250);
  expect(failures).toEqual([]);
  const { aborts, decisions, said } = stage.source;
  expect([aborts, decisions, said]).toEqual([[], [], []]);
});

test("[W3] without a flaw the same requests are answered", async () => {
  await using stage = await serveLane({ page });
  stage.source.play(stage.source.lane.startOperation());
  const get = (path: string, token?: string): Promise<Response> =>
    fetch(stage.origin + path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

  expect((await get("/")).status).toBe(200);
  expect((await get("/api/sessions", tokens.view)).status).toBe(200);
  expect((await get("/api/sessions", tokens.control)).status).toBe(200);
  const abort = await fetch(`${stage.origin}/api/sessions/s_1/lanes/main/abort`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.control}`, "content-type": "application/json", origin: stage.origin },
    body: '{"reason":"enough"}',
  });
  expect(abort.status).toBe(202);
  expect(stage.source.aborts).toEqual(["enough"]);
});

test("[W3] an expectation is answered by the refusal, not by an invitation to send the body", async () => {
  await using stage = await serveLane();

  const { status, head } = await sendHead(stage.port, [
    "POST /api/sessions/s_1/lanes/main/abort HTTP/1.1",
    `Host: 127.0.0.1:${stage.port}`,
    "Content-Type: application/json",
    "Content-Length: 1000",
    "Expect: 100-continue",
  ]);

  expect(status).toBe(401);
  expect(head).toContain("connection: close");
});

test("[W3] a body in chunks without a stated length is read up to the limit and no further", async () => {
  await using stage = await serveLane();
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(4_096))),
  });

  const answer = fetch(`${stage.origin}/api/sessions/s_1/lanes/main/abort`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.control}`, "content-type": "application/json" },
    body,
    duplex: "half",
  });

  // The connection may be closed before the answer is seen, since the sender goes on sending.
  const status = await answer.then(
    (response) => response.status,
    () => 413,
  );
  expect(status).toBe(413);
});

test("[W3] unknown addresses tell nothing to those without a token", async () => {
  await using stage = await serveLane();
  const status = async (path: string, token?: string): Promise<number> => {
    const response = await fetch(stage.origin + path, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    return response.status;
  };

  expect([await status("/nope"), await status("/nope", tokens.view)]).toEqual([401, 404]);
  expect([await status("/api/sessions/s_2"), await status("/api/sessions/s_2", tokens.view)]).toEqual([401, 404]);
  expect(await status("/api/sessions/..%2f..%2fetc", tokens.view)).toBe(404);
  expect(await status(chatPath.replace("chat", "UPPER"), tokens.view)).toBe(404);
});

test("[W3] every answer forbids foreign content, and the page holds no data", async () => {
  await using stage = await serveLane({ page });

  const answers = await Promise.all(
    ["/", "/app.js", "/nope", "/api/sessions"].map((path) =>
      fetch(stage.origin + path, { headers: { authorization: `Bearer ${tokens.view}` } }),
    ),
  );

  for (const { headers } of answers) {
    expect(headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/,
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});

test("[W3] on the socket file the same tokens are needed", async () => {
  await using stage = await serveLane();
  const { socketPath } = stage;
  expect(await askJson({ socketPath, token: tokens.view }, "/api/sessions")).toMatchObject({
    sessions: [{ id: "s_1" }],
  });
  await expect(askJson({ socketPath, token: "wrong" }, "/api/sessions")).rejects.toMatchObject({
    code: "unauthorized",
  });
});
