import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { startCapture } from "./fixtures/captured.js";
import type { Captured } from "./fixtures/captured.js";
import { MAX_QUEUED_BYTES } from "./spill-file.js";
import type { SpillHandle } from "./spill-handle.js";

const newPath = (): string => join(mkdtempSync(join(tmpdir(), "spillway-spill-")), "exec_1.log");

test("[X8] 3,000 short lines are under the byte cap and spilled whole (O05)", async () => {
  const spillPath = newPath();
  const captured = startCapture({ spillPath });
  const raw = Array.from({ length: 3_000 }, (_, index) => `${index + 1}\n`).join("");
  captured.print(raw);
  const result = await captured.settle();

  expect(result.truncation).toMatchObject({ truncatedBy: "lines", totalLines: 3_000, totalBytes: 13_893 });
  expect(result.spill).toEqual({ path: spillPath, bytes: 13_893, complete: true });
  expect(readFileSync(spillPath, "utf8")).toBe(raw);
  expect(statSync(spillPath).mode & 0o777).toBe(0o600);
});

test("[X8] what the text leaves out is in the spill, byte for byte, from the first byte on", async () => {
  const spillPath = newPath();
  const captured = startCapture({ spillPath, limits: { maxBytes: 100 } });
  const parts = [
    Buffer.from("\u001b[31mred\u001b[0m\r\n"),
    Buffer.from([0, 255, 254, 10]),
    Buffer.alloc(300, "x\ry\n"),
  ];
  for (const part of parts) captured.print(part);
  await captured.settle();

  expect(readFileSync(spillPath)).toEqual(Buffer.concat(parts));
});

test("[X8] progress frames have a small text and a whole spill (O15)", async () => {
  const spillPath = newPath();
  const captured = startCapture({ spillPath });
  let raw = "";
  for (let frame = 1; frame <= 20_000; frame += 1) raw += `\rstep ${frame}/20000`;
  captured.print(`${raw}\nDONE\n`);
  const { truncation } = await captured.settle();

  expect(truncation.truncated).toBe(false);
  expect(captured.view.text.length).toBeLessThan(1_024);
  expect(readFileSync(spillPath, "utf8")).toBe(`${raw}\nDONE\n`);
});

test("[X1] X8: raw bytes are held up to the cap, and the next one opens the spill", () => {
  const opened: string[] = [];
  const openSpill = (path: string): Promise<SpillHandle> => {
    opened.push(path);
    return Promise.resolve(fullAfter(0));
  };
  const captured = startCapture({ spillPath: "/spill/a.log", limits: { maxBytes: 1_000 }, openSpill });

  captured.print("\u0000".repeat(1_000));
  captured.clock.advance(1_000);
  expect(opened).toEqual([]);
  captured.print("\u0000");
  expect(opened).toEqual(["/spill/a.log"]);
});

test("[X8] a raw line too many opens the spill, also where the text has no such line", async () => {
  const captured = startCapture({ spillPath: newPath(), limits: { maxLines: 2 } });
  captured.print("one\ntwo\n");
  captured.print("\u001b[0m");
  const { spill, truncation } = await captured.settle();

  expect(captured.view.text).toBe("one\ntwo\n");
  expect(truncation).toMatchObject({ truncated: false, totalLines: 3 });
  expect(spill).toMatchObject({ bytes: 12, complete: true });
});

test("[X8] no spill is made for what is within the caps", async () => {
  const captured = startCapture({ spillPath: newPath() });
  captured.print("short\n");

  expect(await captured.settle()).not.toHaveProperty("spill");
});

test.each([
  ["a link", (path: string): void => symlinkSync("/dev/null", path)],
  ["a FIFO", (path: string): void => void execFileSync("mkfifo", [path])],
  ["a file", (path: string): void => writeFileSync(path, "theirs")],
])("[X8] %s that was planted at the name is not used, does not block, and is told (X39)", async (_name, plant) => {
  const spillPath = newPath();
  plant(spillPath);
  const captured = startCapture({ spillPath, limits: { maxLines: 1 } });
  captured.print("one\ntwo\nthree\n");
  const { spill } = await captured.settle();

  expect(spill).toEqual({ path: spillPath, bytes: 0, complete: false, reason: "write_failed" });
  expect(captured.view.text).toBe("three\n");
});

test.each([
  ["removed", (path: string): void => rmSync(path)],
  ["removed with its folder", (path: string): void => rmSync(dirname(path), { recursive: true })],
  ["moved away", (path: string): void => renameSync(path, `${path}.old`)],
  [
    "replaced by another",
    (path: string): void => {
      rmSync(path);
      writeFileSync(path, "theirs");
    },
  ],
  [
    "replaced by a link to it",
    (path: string): void => {
      renameSync(path, `${path}.old`);
      symlinkSync(`${path}.old`, path);
    },
  ],
])("[X8] a spill that was %s while the command ran is told as not kept", async (_what, remove) => {
  const { captured, spillPath } = await startSpilled();
  expect(captured.view.spillPath).toBe(spillPath);

  remove(spillPath);
  const { spill } = await captured.settle();

  expect(spill).toEqual({ path: spillPath, bytes: 0, complete: false, reason: "removed" });
  expect(captured.view).not.toHaveProperty("spillPath");
});

test("[X8] a spill that has another name too is kept as long as its own is there", async () => {
  const { captured, spillPath } = await startSpilled();

  linkSync(spillPath, `${spillPath}.old`);

  expect(await captured.settle()).toMatchObject({ spill: { path: spillPath, bytes: 13_893, complete: true } });
});

test("[X18] a full disk stops the saving, not the output, and is told with the bytes that were saved (O26)", async () => {
  const captured = startCapture({ spillPath: newPath(), openSpill: () => Promise.resolve(fullAfter(65_536)) });
  for (let index = 0; index < 40; index += 1) captured.print(`${"seq".repeat(1_000)}\n`.repeat(4));
  captured.print("the end\n");
  const { spill, truncation } = await captured.settle();

  expect(spill).toMatchObject({ bytes: 65_536, complete: false, reason: "disk_full" });
  expect(truncation.totalBytes).toBe(40 * 4 * 3_001 + 8);
  expect(captured.view.text.endsWith("the end\n")).toBe(true);
});

test("[X18] a quota keeps the first bytes and says so", async () => {
  const spillPath = newPath();
  const captured = startCapture({ spillPath, maxSpillBytes: 1_000, limits: { maxLines: 2 } });
  captured.print("0123456789\n".repeat(200));
  const { spill } = await captured.settle();

  expect(spill).toEqual({ path: spillPath, bytes: 1_000, complete: false, reason: "quota" });
  expect(readFileSync(spillPath, "utf8")).toBe("0123456789\n".repeat(200).slice(0, 1_000));
});

test("[X8] a file that is behind holds the pipes back, and says when it is not any more", async () => {
  let release = (): void => {};
  const opened = new Promise<void>((resolve) => (release = resolve));
  let drains = 0;
  const captured = startCapture({
    spillPath: newPath(),
    onDrain: () => (drains += 1),
    openSpill: async () => {
      await opened;
      return { ...FILE, write: (_data, _offset, length) => Promise.resolve({ bytesWritten: length }) };
    },
  });
  const chunk = "z".repeat(65_536);
  let hasRoom = true;
  for (let pushed = 0; pushed <= MAX_QUEUED_BYTES; pushed += chunk.length) hasRoom = captured.print(chunk);
  expect(hasRoom).toBe(false);
  expect(drains).toBe(0);

  release();
  await captured.settle();
  expect(drains).toBe(1);
});

test("[X15] the spill has the mark in place of the secret, and its own size", async () => {
  const spillPath = newPath();
  const captured = startCapture({ spillPath, secrets: ["sk-canary-123456"], limits: { maxLines: 1 } });
  captured.print("a sk-can");
  captured.print("ary-123456 b\nc\n");
  const { spill, truncation } = await captured.settle();

  expect(readFileSync(spillPath, "utf8")).toBe("a [secret] b\nc\n");
  expect(spill?.bytes).toBe(15);
  expect(truncation.totalBytes).toBe(23);
});

/** A capture whose spill is there. */
async function startSpilled(): Promise<{ readonly captured: Captured; readonly spillPath: string }> {
  const spillPath = newPath();
  const captured = startCapture({ spillPath });
  captured.print(Array.from({ length: 3_000 }, (_, index) => `${index + 1}\n`).join(""));
  await vi.waitUntil(() => existsSync(spillPath));
  captured.clock.advance(1_000);
  return { captured, spillPath };
}

const FILE = { isInPlace: () => Promise.resolve(true), close: () => Promise.resolve() };

/** A file on a disk with room for so many bytes. */
function fullAfter(room: number): SpillHandle {
  let left = room;
  return {
    ...FILE,
    write: (_data, _offset, length) => {
      if (left === 0) return Promise.reject(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }));
      const bytesWritten = Math.min(left, length);
      left -= bytesWritten;
      return Promise.resolve({ bytesWritten });
    },
  };
}
