import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readText, repository } from "./support/files.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spillway-page-"));
  writeFileSync(page(), readText("docs/storage.md"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const page = (): string => join(folder, "storage.md");

const cases = ["workload", "endless", "commit", "waiting-1", "waiting-64", "waiting-512", "sessions-512"];
const openings = ["open-1k", "open-100k", "open-1m", "open-500mb"];
const subjects = ["spillway", "pi JSONL session", "bare write + fdatasync"];
const metrics = [
  "written",
  "most",
  "end",
  "syncs",
  "commit",
  "acks",
  "p99",
  "open",
  "memory",
  "bytes",
  "main log",
  "settled",
  "sidecar peak",
];

/** Lines of a whole run in which every figure is the same, but for those of spillway that are named. */
function runOf(names: readonly string[], own: Readonly<Record<string, number>> = {}): string {
  const lines = names.flatMap((name) =>
    subjects.flatMap((subject) =>
      metrics.map((metric) => {
        const value = (subject === "spillway" ? own[`${name} ${metric}`] : undefined) ?? 50_000_000;
        return JSON.stringify({ case: name, subject, metric, value, unit: "" });
      }),
    ),
  );
  return `${lines.join("\n")}\n`;
}

function fill(figures: string): { readonly code: number | null; readonly stderr: string } {
  const program = join(repository, "bench/storage/page.mjs");
  const { status, stderr } = spawnSync(process.execPath, [program, page()], { input: figures, encoding: "utf8" });
  return { code: status, stderr };
}

/** What stands outside of the parts that a run fills. */
function restOf(text: string): string {
  return text.replace(/<!-- bench (\w+): begin -->[^]*?<!-- bench \1: end -->/g, "<!-- bench $1 -->");
}

test("[S5] a run's figures stand in the tables of docs/storage.md, and the rest of the page is as it was", () => {
  const before = readText("docs/storage.md");

  const ended = fill(runOf([...cases, ...openings], { "workload written": 1_230_000, "waiting-512 acks": 99_000 }));

  const text = readFileSync(page(), "utf8");
  expect(ended).toEqual({ code: 0, stderr: "" });
  expect(restOf(text)).toBe(restOf(before));
  expect(restOf(text).match(/<!-- bench \w+ -->/g)).toHaveLength(4);
  expect(text).toMatch(/\| spillway +\| 1\.2\d* MB +\| 50 MB/);
  expect(text).toMatch(/\| acks +\| ≥ 100,000 1\/s +\| 99,000 1\/s +\| missed/);
  expect(text).toMatch(/\| acks +\| ≥ 15,000 1\/s +\| 50,000,000 1\/s +\| met/);
  expect(readText("docs/storage.md")).toBe(before);
});

test("[S5] a run that lacks a case fills nothing, and the case is named", () => {
  const before = readFileSync(page(), "utf8");

  const ended = fill(runOf([...cases, ...openings.slice(0, 3)]));

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("no figures of open-500mb; give a whole run with --json on standard input");
  expect(readFileSync(page(), "utf8")).toBe(before);
});
