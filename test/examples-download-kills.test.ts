import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PART_BYTES } from "../examples/download-parts/download-tool.mjs";
import { readLane } from "../src/harness/index.js";
import { createJsonlStorage } from "../src/storage/index.js";
import { buildCli } from "./cli/support/built-cli.js";
import { bundlePrograms } from "./support/bundle.mjs";
import type { Bundle } from "./support/bundle.mjs";
import { repository } from "./support/files.js";
import { isCi } from "./support/machine-needs.js";
import { createRandom, runSeed } from "./support/random.js";

// Real processes that download are killed with -9, shortly after one of their requests or at any moment before it.

const SEED = runSeed();
const KILLS = isCi ? 200 : 3;
/** Downloads side by side. */
const AT_A_TIME = isCi ? 4 : 1;
const PARTS = 12;
/** Requests of one process before it is killed. */
const MAX_REQUESTS = 4;
const LONGEST_DELAY_MS = 10;

const content = Buffer.from(
  Array.from({ length: PARTS * PART_BYTES - 1_000 }, (_, index) => (index * 31 + (index >> 8)) % 251),
);

/** What a process asked for: where each part begins. */
interface Watch {
  readonly parts: number[];
  onRequest: () => void;
}

const watches = new Map<string, Watch>();
let folder: string;
let bundle: Bundle;
let server: Server;

beforeAll(async () => {
  await buildCli();
  bundle = await bundlePrograms({ download: join(repository, "examples", "download-parts", "main.mjs") });
  folder = mkdtempSync(join(tmpdir(), "spillway-kills-"));
  server = createServer((request, response) => {
    const watch = watches.get(request.url ?? "");
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (start === undefined || end === undefined) {
      response.writeHead(200, { "content-length": content.length }).end();
      return;
    }
    watch?.parts.push(Number(start));
    response.writeHead(206).end(content.subarray(Number(start), Number(end) + 1));
    watch?.onRequest();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}, 300_000);

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  for (const path of [folder, bundle.folder]) rmSync(path, { recursive: true, force: true });
});

test(
  `[H40] [H34] a download goes on where it was, over ${KILLS} times kill -9: the file is exact, no noted part is fetched again (seed ${SEED})`,
  { timeout: 600_000 },
  async () => {
    const random = createRandom(SEED);
    let kills = 0;
    let downloads = 0;
    const work = async (): Promise<void> => {
      while (kills < KILLS) {
        const name = String((downloads += 1));
        for (;;) {
          if (!(await runProcess(name, random))) break;
          kills += 1;
        }
        expect(readFileSync(join(folder, `${name}.bin`)).equals(content), `download ${name}`).toBe(true);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  },
);

/** Gives whether the process was killed; one that was not must have ended well. */
async function runProcess(name: string, random: () => number): Promise<boolean> {
  const noted = await readNoted(name);
  const { port } = server.address() as AddressInfo;
  const words = [
    bundle.program("download"),
    `http://127.0.0.1:${port}/${name}`,
    join(folder, `${name}.bin`),
    join(folder, name),
  ];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  let requests = 1 + Math.floor(random() * MAX_REQUESTS);
  const delay = random() * LONGEST_DELAY_MS;
  const watch: Watch = {
    parts: [],
    onRequest() {
      requests -= 1;
      if (requests === 0) setTimeout(() => child.kill("SIGKILL"), delay);
    },
  };
  watches.set(`/${name}`, watch);
  const signal = await new Promise((resolve) => child.on("close", (_code, killedBy) => resolve(killedBy)));
  expect(
    watch.parts.filter((start) => noted.has(start)),
    `download ${name}: noted before, and fetched again`,
  ).toEqual([]);
  if (signal !== null) return true;
  if (said !== "completed\n") throw new Error(`download ${name} ended and said ${said}`);
  return false;
}

/** Where the parts begin that the call has noted. */
async function readNoted(name: string): Promise<ReadonlySet<number>> {
  const storage = createJsonlStorage({ folder: join(folder, name) });
  if (!(await storage.list()).includes("download")) return new Set();
  const reader = await storage.read("download");
  try {
    const { unsettled } = await readLane(reader, "main");
    const names = [...(unsettled?.calls[0]?.memos.keys() ?? [])];
    return new Set(names.flatMap((memo) => (memo.startsWith("part-") ? [Number(memo.slice("part-".length))] : [])));
  } finally {
    await reader.close();
  }
}
