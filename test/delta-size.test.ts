import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { buildCli } from "./cli/support/built-cli.js";
import { bundleDelta } from "./support/delta-bundle.js";
import { repository } from "./support/files.js";

beforeAll(buildCli, 120_000);

test.each([
  { who: "who only follows", names: "{ apply, decoder }", maxBytes: 2_500 },
  { who: "who uses all of it", names: "*", maxBytes: 8_000 },
])("delta, for one $who, adds at most $maxBytes bytes gzipped to a page", async ({ who, names, maxBytes }) => {
  const { code } = await bundleDelta(`export ${names} from "spillway/delta";`);

  const bytes = gzipSync(code, { level: 9 }).length;
  console.log(`delta, ${who}: ${bytes} bytes gzipped`);
  expect(bytes).toBeGreaterThan(maxBytes / 2);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
});

test("delta has nothing that runs when it is imported, and imports nothing from elsewhere", async () => {
  const { code, modules } = await bundleDelta(
    `import { apply, track } from "spillway/delta"; import "spillway/delta";`,
  );

  expect(code.trim()).toBe("");
  expect(modules.length).toBeGreaterThan(10);
  expect(modules.filter((path) => !path.startsWith(join(repository, "dist", "delta") + sep))).toEqual([]);
});

test("who only follows gets nothing of what produces", async () => {
  const { code } = await bundleDelta(`export { apply, decoder } from "spillway/delta";`);

  expect(code).not.toMatch(/\bnew Proxy\b|split_character|\bInt32Array\b/);
});
