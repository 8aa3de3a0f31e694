import { expect, test } from "vitest";
import { outputOf, serveLane, summary, tokens } from "./fixtures/served-lane.js";
import type { ServedStage } from "./fixtures/served-lane.js";

function get(stage: ServedStage, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${stage.origin}/api/sessions${path}`, {
    headers: { authorization: `Bearer ${tokens.view}`, ...headers },
  });
}

function post(stage: ServedStage, path: string, body: string): Promise<Response> {
  return fetch(`${stage.origin}/api/sessions${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.control}`, "content-type": "application/json" },
    body,
  });
}

async function json(response: Promise<Response>): Promise<unknown> {
  return await (await response).json();
}

test("[W3] sessions are listed, and a session tells its lanes and their facets", async () => {
  await using stage = await serveLane();

  expect(await json(get(stage, ""))).toEqual({ protocol: 2, access: "view", sessions: [summary] });
  expect(await json(get(stage, "/s_1"))).toEqual({
    protocol: 2,
    ...summary,
    lanes: [{ id: "main", facets: ["chat", "lane"], takesMessages: true }],
  });
});

test("[F3] older entries are pages before a position", async () => {
  await using stage = await serveLane();
  const { source } = stage;
  source.play(source.lane.startOperation());
  for (let index = 0; index < 200; index += 1) source.play(source.lane.prompt(`prompt ${index}`));
  const entries = "/s_1/lanes/main/entries";

  expect(source.chat.snapshot().earlier).toBe(100);
  expect(await json(get(stage, `${entries}?before=100&limit=2`))).toMatchObject({
    from: 98,
    entries: [{ text: "prompt 98" }, { text: "prompt 99" }],
  });
  expect(await json(get(stage, `${entries}?before=2`))).toMatchObject({ from: 0, entries: [{}, {}] });
  expect(await json(get(stage, entries))).toMatchObject({ from: 150, entries: Array.from({ length: 50 }, () => ({})) });
  expect(await json(get(stage, `${entries}?limit=999`))).toMatchObject({ from: 100 });
});

test("[F3] a page is at most 1 MiB, unless one entry alone is more", async () => {
  await using stage = await serveLane();
  const { source } = stage;
  source.play(source.lane.startOperation());
  for (const length of [2_000_000, 600_000, 600_000, 300_000]) source.play(source.lane.prompt("x".repeat(length)));
  const page = async (before: number): Promise<unknown> => {
    const { from, entries } = (await json(get(stage, `/s_1/lanes/main/entries?before=${before}`))) as {
      from: number;
      entries: unknown[];
    };
    return [from, entries.length];
  };

  expect(await page(4)).toEqual([2, 2]);
  expect(await page(2)).toEqual([1, 1]);
  expect(await page(1)).toEqual([0, 1]);
});

test.each(["before=-1", "before=x", "before=1e3", "limit=0", "limit=", "before=99999999999999999"])(
  "[W3] a page of %s is refused with what is allowed",
  async (query) => {
    await using stage = await serveLane();

    const response = await get(stage, `/s_1/lanes/main/entries?${query}`);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_request", message: /whole number/ } });
  },
);

const bytes = Uint8Array.from({ length: 10_000 }, (_, index) => index % 251);

test.each([
  [undefined, 200, 0, 10_000, null],
  ["bytes=0-", 206, 0, 10_000, "bytes 0-9999/10000"],
  ["bytes=0-0", 206, 0, 1, "bytes 0-0/10000"],
  ["bytes=1500-3499", 206, 1_500, 3_500, "bytes 1500-3499/10000"],
  ["bytes=9999-20000", 206, 9_999, 10_000, "bytes 9999-9999/10000"],
  ["bytes=-100", 206, 9_900, 10_000, "bytes 9900-9999/10000"],
  ["bytes=-20000", 206, 0, 10_000, "bytes 0-9999/10000"],
  ["bytes=5-2", 200, 0, 10_000, null],
  ["bytes=0-1,4-5", 200, 0, 10_000, null],
  ["lines=0-1", 200, 0, 10_000, null],
])("[W3] the full output with Range %s is answered with %i", async (range, status, start, end, contentRange) => {
  await using stage = await serveLane();
  stage.source.outputs.set("call_1", outputOf(bytes));

  const response = await get(stage, "/s_1/operations/op_1/calls/call_1/output", range === undefined ? {} : { range });

  expect(response.status).toBe(status);
  expect(response.headers.get("content-range")).toBe(contentRange);
  expect(response.headers.get("content-type")).toBe("application/octet-stream");
  expect(response.headers.get("spillway-complete")).toBe("true");
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes.slice(start, end));
});

test("[W3] a range beyond the output, an output that is gone, and one that never was are told apart", async () => {
  await using stage = await serveLane();
  stage.source.outputs.set("call_1", outputOf(bytes, false));
  stage.source.outputs.set("call_0", outputOf(new Uint8Array()));
  const status = async (call: string, range?: string): Promise<[number, unknown]> => {
    const response = await get(
      stage,
      `/s_1/operations/op_1/calls/${call}/output`,
      range === undefined ? {} : { range },
    );
    const text = await response.text();
    return [
      response.status,
      text.startsWith("{") ? (JSON.parse(text) as { error: { code: string } }).error.code : text,
    ];
  };

  expect(await status("call_1", "bytes=10000-")).toEqual([416, "range_not_satisfiable"]);
  expect(await status("call_1", "bytes=-0")).toEqual([416, "range_not_satisfiable"]);
  expect(await status("call_gone")).toEqual([410, "gone"]);
  expect(await status("call_9")).toEqual([404, "not_found"]);
  expect(await status("call_0")).toEqual([200, ""]);
});

test("[W3] a reader who leaves in the middle of an output ends the reading of it", async () => {
  await using stage = await serveLane();
  let readBytes = 0;
  const left = new Promise<void>((resolve) => {
    stage.source.outputs.set("call_1", {
      bytes: 1e9,
      complete: true,
      async *read() {
        try {
          for (;;) {
            readBytes += 65_536;
            yield new Uint8Array(65_536);
          }
        } finally {
          resolve();
        }
      },
    });
  });

  const response = await get(stage, "/s_1/operations/op_1/calls/call_1/output");
  await response.body?.getReader().cancel();

  await left;
  expect(readBytes).toBeLessThan(50_000_000);
});

test("[W3] what runs is stopped with the reason given, and nothing running is a conflict", async () => {
  await using stage = await serveLane();
  const abort = "/s_1/lanes/main/abort";

  expect((await post(stage, abort, "{}")).status).toBe(409);
  stage.source.play(stage.source.lane.startOperation());
  expect((await post(stage, abort, "")).status).toBe(202);
  expect((await post(stage, abort, '{"reason":"wrong branch"}')).status).toBe(202);
  expect(stage.source.aborts).toEqual(["stopped from elsewhere", "wrong branch"]);
});

test.each([
  ["no JSON", "{"],
  ["no object", "[]"],
  ["a reason that is no text", '{"reason":1}'],
  ["a reason that is too long", JSON.stringify({ reason: "x".repeat(201) })],
])("[W3] a body with %s is refused", async (_name, body) => {
  await using stage = await serveLane();
  stage.source.play(stage.source.lane.startOperation());

  const response = await post(stage, "/s_1/lanes/main/abort", body);

  expect(response.status).toBe(400);
  expect(stage.source.aborts).toEqual([]);
});

test("[W3] what fails inside is told to the server's owner and not to the client", async () => {
  const faults: unknown[] = [];
  await using stage = await serveLane({ onFault: (error) => faults.push(error) });

  const response = await get(stage, "/s_broken");

  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("/secret/path");
  expect(faults).toMatchObject([{ message: "the disk is on fire at /secret/path" }]);
});
