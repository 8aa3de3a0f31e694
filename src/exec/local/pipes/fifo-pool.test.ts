import {
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeFifo, createFifoPool, mkfifoProgram, pipeIdentity } from "./fifo-pool.js";

const makeFifos = mkfifoProgram(process.env);
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "fifo-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("[X16] a pipe is a FIFO that carries bytes and has no name any more", async () => {
  const pool = createFifoPool(home, makeFifos);
  const [fifo] = await pool.take(1);
  if (fifo === undefined) throw new Error("no pipe");

  writeSync(fifo.writeFd, "abc");
  const buffer = Buffer.alloc(8);

  expect(readSync(fifo.readFd, buffer)).toBe(3);
  expect(fstatSync(fifo.writeFd).isFIFO()).toBe(true);
  expect(pipeIdentity(fifo.readFd)).toBe(pipeIdentity(fifo.writeFd));
  expect(readdirSync(home)).toEqual([]);
  closeFifo(fifo);
  await pool.close();
});

test("[X16] pipes have their names in a folder that only this user can enter", async () => {
  let mode = 0;
  const pool = createFifoPool(home, async (paths) => {
    mode = statSync(dirname(paths[0] ?? "")).mode & 0o777;
    await makeFifos(paths);
  });

  (await pool.take(2)).forEach(closeFifo);
  await pool.close();

  expect(mode).toBe(0o700);
});

test("[X16] a batch serves many takers", async () => {
  let batches = 0;
  const pool = createFifoPool(home, (paths) => {
    batches += 1;
    return makeFifos(paths);
  });

  for (let taker = 0; taker < 100; taker += 1) (await pool.take(2)).forEach(closeFifo);
  await pool.close();

  expect(batches).toBeLessThanOrEqual(7);
});

test.runIf(existsSync("/proc/self/fd"))(
  "[X16] a closed pool holds no descriptor, and one that failed neither",
  async () => {
    const before = readdirSync("/proc/self/fd").length;
    const good = createFifoPool(home, makeFifos);
    const bad = createFifoPool(home, async (paths) => {
      await makeFifos(paths.slice(1));
    });

    (await good.take(2)).forEach(closeFifo);
    await expect(bad.take(2)).rejects.toThrow("ENOENT");
    await Promise.all([good.close(), bad.close()]);

    expect(readdirSync("/proc/self/fd").length).toBe(before);
    expect(readdirSync(home)).toEqual([]);
  },
);

test("[X16] a program that is missing and a folder that is missing are told", async () => {
  const noProgram = createFifoPool(home, mkfifoProgram({ PATH: home }));
  const noFolder = createFifoPool(join(home, "none"), makeFifos);

  await expect(noProgram.take(1)).rejects.toThrow("mkfifo failed");
  await expect(noFolder.take(1)).rejects.toThrow(join(home, "none"));
});

test("[X16] a reader sees the end once the last writer has closed", async () => {
  const pool = createFifoPool(home, makeFifos);
  const [fifo] = await pool.take(1);
  if (fifo === undefined) throw new Error("no pipe");

  closeSync(fifo.writeFd);

  expect(readSync(fifo.readFd, Buffer.alloc(1))).toBe(0);
  closeSync(fifo.readFd);
  await pool.close();
});
