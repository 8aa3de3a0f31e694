import { expect, test } from "vitest";
import { listFiles, readText } from "./support/files.js";
import { findLayerViolations, findRankViolations } from "./support/layers.js";

const isTest = (path: string): boolean => /\.test(-d)?\.ts$/.test(path) || path.includes("/fixtures/");

test("imports go to a lower layer, along an arrow of the table, through its index", () => {
  const files = [...listFiles("src", ".ts"), ...listFiles("web", ".ts"), ...listFiles("web", ".tsx")]
    .filter((path) => !isTest(path))
    .map((path) => ({ path, text: readText(path) }));

  expect(files.length).toBeGreaterThan(50);
  expect(findLayerViolations(files)).toEqual([]);
});

test("every arrow of the table goes to a lower rank", () => {
  expect(findRankViolations()).toEqual([]);
});

test.each([
  ["upwards", "src/delta/apply.ts", "../exec/index.js", "src/delta/apply.ts imports exec, which delta may not"],
  [
    "past the index",
    "src/tools/bash.ts",
    "../exec/result.js",
    "src/tools/bash.ts imports src/exec/result.js; across layers only src/exec/index.js may be imported",
  ],
  ["a package", "src/delta/apply.ts", "zod", "src/delta/apply.ts imports zod; delta has no dependencies"],
  [
    "Node in a browser",
    "src/wire/client/sse.ts",
    "node:fs",
    "src/wire/client/sse.ts imports node:fs; wire/client has no dependencies",
  ],
  [
    "a server in its client",
    "src/wire/client/sse.ts",
    "../index.js",
    "src/wire/client/sse.ts imports wire, which wire/client may not",
  ],
  ["a host in the viewer", "web/main.tsx", "../src/facet/index.js", "web/main.tsx imports more than types of facet"],
  ["a package in the viewer", "web/main.tsx", "zod", "web/main.tsx imports zod; web has no dependencies"],
])("a planted import is found: %s", (_name, path, specifier, message) => {
  const planted = { path, text: `import { x } from "${specifier}";\nexport const y = x;\n` };

  expect(findLayerViolations([planted])).toEqual([message]);
});

test("a planted type import and a planted dynamic import are found", () => {
  const text = `import type { A } from "../harness/index.js";\nexport const b = (): Promise<A> => import("../cli/index.js");\n`;

  expect(findLayerViolations([{ path: "src/lane/view.ts", text }])).toHaveLength(2);
});
