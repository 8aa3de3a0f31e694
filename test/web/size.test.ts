import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPage } from "./support/built-page.js";
import type { BuiltPage } from "./support/built-page.js";

const MAX_GZIPPED_BYTES = 60_000;

let built: BuiltPage;
beforeAll(async () => {
  built = await buildPage();
});
afterAll(() => built[Symbol.dispose]());

/** All but the licenses of what is in them, which lie beside and are not served. */
const builtFiles = (): string[] =>
  readdirSync(built.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "licenses.md")
    .map((entry) => join(entry.parentPath, entry.name));

test("[W3] the whole page is at most 60 kB gzipped, and all of it is served", () => {
  const sizes = builtFiles().map((path) => gzipSync(readFileSync(path), { level: 9 }).length);

  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`the page: ${sizes.length} files, ${bytes} bytes gzipped`);
  expect(bytes).toBeLessThan(MAX_GZIPPED_BYTES);
  expect(built.files.size).toBe(sizes.length);
});

test("[W3] the page's files name no address elsewhere", () => {
  const addresses = builtFiles().flatMap(
    (path) => readFileSync(path, "utf8").match(/\b(?:https?|wss?):\/\/[^\s"'`)]+/g) ?? [],
  );

  // Names of XML vocabularies, which nobody fetches.
  expect(addresses.filter((address) => !/^https?:\/\/www\.w3\.org\//.test(address))).toEqual([]);
});
