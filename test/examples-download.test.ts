import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDownloadTool, PART_BYTES } from "../examples/download-parts/download-tool.mjs";
import { makeMortal } from "../src/harness/fixtures/mortal-storage.js";
import { call, openSession, text } from "../src/harness/fixtures/session.js";
import { readLane } from "../src/harness/index.js";
import { createMemoryStorage } from "../src/storage/index.js";
import type { SessionStorage } from "../src/storage/index.js";
import { createRandom, runSeed } from "./support/random.js";

// A process that downloads dies at random commits, again and again, and another one goes on each time.

const SEED = runSeed();
const KILLS = process.env["CI"] === "true" ? 200 : 12;
const PARTS = 12;
const MAX_LIVES = 6;

const content = Buffer.from(
  Array.from({ length: PARTS * PART_BYTES - 1_000 }, (_, index) => (index * 31 + (index >> 8)) % 251),
);
const fetched: number[] = [];
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "spillway-download-"));
  server = createServer((request, response) => {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (start === undefined || end === undefined) {
      response.writeHead(200, { "content-length": content.length }).end();
      return;
    }
    fetched.push(Number(start));
    response.writeHead(206).end(content.subarray(Number(start), Number(end) + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

test(`[H40] [H34] a download goes on where it was, over ${KILLS} kills: the file is exact, no noted part is fetched again (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  let kills = 0;
  for (let download = 0; kills < KILLS; download += 1) {
    const session = await createMemoryStorage().create("session");
    const path = join(folder, `file-${download}`);
    for (;;) {
      const noted = await readNoted(session);
      fetched.length = 0;
      const hasDied = await runProcess(session, path, 1 + Math.floor(random() * MAX_LIVES), random() < 0.5);
      expect(
        fetched.filter((start) => noted.has(start)),
        `after ${kills} kills`,
      ).toEqual([]);
      if (!hasDied) break;
      kills += 1;
    }
    const { transcript, record } = await readLane(session, "main");
    expect(record?.status).toBe("completed");
    expect(transcript.find(({ type }) => type === "tool")).toMatchObject({ isError: false });
    expect(readFileSync(path).equals(content)).toBe(true);
  }
  expect(kills).toBeGreaterThanOrEqual(KILLS);
});

/** Prompts, or goes on; gives whether the process died of it. */
async function runProcess(
  session: SessionStorage,
  path: string,
  lives: number,
  acknowledged: boolean,
): Promise<boolean> {
  const { port } = server.address() as AddressInfo;
  const mortal = makeMortal(session, { lives, acknowledged });
  const { harness, lane } = await openSession({
    storage: mortal.storage,
    turns: [[call("download", { url: `http://127.0.0.1:${port}/`, path })], [text("It is here.")]],
    tools: [createDownloadTool()],
  });
  const isNew = lane.view().transcript.length === 0;
  const work = isNew ? lane.prompt("get it").then(({ settled }) => settled) : harness.recover();
  await Promise.race([work, mortal.died]);
  const { record } = await readLane(session, "main");
  return record?.status !== "completed";
}

/** Where the parts begin that the call has noted. */
async function readNoted(session: SessionStorage): Promise<Set<number>> {
  const { unsettled } = await readLane(session, "main");
  const names = [...(unsettled?.calls[0]?.memos.keys() ?? [])];
  return new Set(names.flatMap((name) => (name.startsWith("part-") ? [Number(name.slice("part-".length))] : [])));
}
