import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./support/files.js";

const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: repository, encoding: "utf8" })
  .split("\0")
  .filter((path) => path !== "" && path !== "test/hygiene.test.ts");

const forbidden = [
  { what: "a registry address", pattern: /registry\.(npmjs|yarnpkg)\.|["'\s]resolved["']?:\s*["']http/ },
  { what: "a home folder", pattern: new RegExp(`${escapeRegExp(homedir())}/|/home/[a-z]+/`) },
  { what: "this checkout's folder", pattern: new RegExp(escapeRegExp(repository)) },
  // A name of a few letters is a word that any text may hold.
  ...(hostname().length < 6
    ? []
    : [{ what: "this machine's name", pattern: new RegExp(`\\b${escapeRegExp(hostname())}\\b`) }]),
];

test("no tracked file names a machine, an absolute path of one, or a registry", () => {
  const finds = tracked.flatMap((path) => {
    const text = readFileSync(join(repository, path), "utf8");
    return forbidden.filter(({ pattern }) => pattern.test(text)).map(({ what }) => `${path} holds ${what}`);
  });

  expect(tracked.length).toBeGreaterThan(50);
  expect(finds).toEqual([]);
});

test("no source file switches the rules off", () => {
  const sources = tracked.filter((path) => /\.(ts|tsx|mjs)$/.test(path));
  const finds = sources.filter((path) =>
    /@ts-(ignore|expect-error|nocheck)|(eslint|oxlint)-disable/.test(readFileSync(join(repository, path), "utf8")),
  );

  expect(finds.filter((path) => !/\.test(-d)?\.ts$/.test(path))).toEqual([]);
});

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
