import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compilePrograms } from "./fixtures/processes.js";
import type { Programs } from "./fixtures/processes.js";
import { readSample } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";

// A real process writes while the system fails it: strace makes its system calls fail, each in turn, and a file system of
// 64 KB runs full under it. What it was told is stored must be there, once and in order; what it was refused is told with
// a code, and it goes on, or says that it is read-only. The thread pool has one thread, because strace counts by threads.

const isCi = process.env["CI"] === "true";
const HANG_LIMIT_MS = 300_000;
const hasStrace = spawnSync("strace", ["-qq", "-e", "trace=none", "true"]).status === 0;

let programs: Programs;
beforeAll(() => {
  programs = compilePrograms();
});
afterAll(() => programs[Symbol.dispose]());

const faults = [
  { calls: "pwrite64", fault: "error=ENOSPC", closes: false },
  { calls: "pwrite64", fault: "error=EIO", closes: false },
  // A write that takes a part is finished by libuv, so of short ones only this comes through.
  { calls: "pwrite64", fault: "retval=0", closes: false },
  { calls: "fdatasync,fsync", fault: "error=EIO", closes: true },
  { calls: "rename,renameat,renameat2", fault: "error=EACCES", closes: false },
];

test.skipIf(!hasStrace).each(faults)(
  "[S7] a real $calls that gives $fault, whichever it is, is told, and nothing acknowledged is lost (strace is needed)",
  { timeout: HANG_LIMIT_MS },
  async ({ calls, fault, closes }) => {
    let hits = 0;
    let goneOn = 0;
    // Those of making a session, and some of its commits.
    for (const when of isCi ? Array.from({ length: 14 }, (_, place) => place + 1) : [1, 6]) {
      using folder = openTemporaryFolder();
      const log = join(folder.path, "strace");
      const inject = `inject=${calls}:${fault}:when=${when}`;
      const strace = [
        "strace",
        "-f",
        "-qq",
        "-E",
        "UV_THREADPOOL_SIZE=1",
        "-o",
        log,
        "-e",
        `trace=${calls}`,
        "-e",
        inject,
      ];

      const program = programs.startUnder(strace, "append", [folder.path, "8", "100"]);
      await program.ended;

      if (!readFileSync(log, "utf8").includes("INJECTED")) continue;
      hits += 1;
      const { stored, refused, isMade } = sortLines(program.lines);
      const place = `${inject}: ${program.lines.join("; ")}`;
      if (!isMade) continue;
      const { found } = await readBack(folder.path);
      const isUncertain = refused.length > 0 && closes;
      expect(found.slice(0, stored.length), `at ${place}`).toEqual(stored);
      expect(found.length - stored.length, `at ${place}`).toBeLessThanOrEqual(isUncertain ? 1 : 0);
      if (!closes && stored.length === 8) goneOn += 1;
    }
    expect(hits).toBeGreaterThan(0);
    expect(goneOn > 0 || closes || calls.startsWith("rename")).toBe(true);
  },
);

test.skipIf(!hasStrace)(
  "[S5] folders that were made for the first session are synced in those above them (strace is needed)",
  { timeout: HANG_LIMIT_MS },
  async () => {
    using folder = openTemporaryFolder();
    const log = join(folder.path, "strace");
    const strace = ["strace", "-f", "-y", "-qq", "-o", log, "-e", "trace=fsync"];

    await programs.startUnder(strace, "append", [join(folder.path, "new", "sessions"), "1", "10"]).ended;

    const synced = readFileSync(log, "utf8");
    for (const path of [folder.path, join(folder.path, "new"), join(folder.path, "new", "sessions")]) {
      expect(synced).toContain(`<${realpathSync(path)}>`);
    }
  },
);

const tmpfs = mountTmpfs();
afterAll(() => tmpfs?.unmount());

test.skipIf(tmpfs === undefined)(
  "[S7] on a file system of 64 KB that runs full, writing is refused, goes on when there is room, and loses nothing (mount is needed)",
  { timeout: HANG_LIMIT_MS },
  async () => {
    const folder = tmpfs?.path ?? "";
    writeFileSync(join(folder, "ballast"), Buffer.alloc(20_000));

    const program = programs.start("append", [folder, "40", "2000"]);
    await program.ended;

    const { stored, refused } = sortLines(program.lines);
    const { found } = await readBack(folder);
    expect(found).toEqual(stored);
    const [first = 0] = refused;
    expect(first).toBeGreaterThan(10);
    expect(stored, "it went on when there was room").toContain(first);
    expect(refused.at(-1), "and ran full again").toBe(40);
    expect(
      program.lines.filter((line) => line.startsWith("refused")).every((line) => line.endsWith("write_failed")),
    ).toBe(true);
  },
);

interface Told {
  readonly isMade: boolean;
  readonly stored: readonly number[];
  readonly refused: readonly number[];
}

function sortLines(lines: readonly string[]): Told {
  const numbersOf = (word: string): number[] =>
    lines.filter((line) => line.startsWith(word)).map((line) => Number(line.split(" ")[1]));
  return { isMade: lines.includes("made"), stored: numbersOf("stored"), refused: numbersOf("refused") };
}

/** Read beside nobody: on a full file system nothing can be opened for writing. */
async function readBack(folder: string): Promise<{ readonly found: readonly number[] }> {
  const reader = await createJsonlStorage({ folder }).read("s1");
  const { entries } = await readSample(reader);
  await reader.close();
  return { found: entries.map((text) => Number(text.split(" ")[0])) };
}

function mountTmpfs(): { readonly path: string; readonly unmount: () => void } | undefined {
  const folder = openTemporaryFolder();
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=700", "none", folder.path]).status === 0;
  if (!isMounted) {
    folder[Symbol.dispose]();
    return undefined;
  }
  return {
    path: folder.path,
    unmount() {
      spawnSync("umount", [folder.path]);
      folder[Symbol.dispose]();
    },
  };
}
