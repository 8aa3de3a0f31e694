import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { readText, repository } from "./support/files.js";
import { describeSurface } from "./support/surface.js";

const manifest = JSON.parse(readText("package.json")) as { exports: Record<string, { types: string } | string> };
const subpaths = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
  typeof target === "string"
    ? []
    : [{ subpath, source: target.types.replace("./dist/", "src/").replace(/\.d\.ts$/, ".ts") }],
);

const config = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(repository, "tsconfig.json"), (path) => ts.sys.readFile(path)).config,
  ts.sys,
  repository,
);
const program = ts.createProgram(
  subpaths.map(({ source }) => join(repository, source)),
  config.options,
);

test.each(subpaths)("the public surface of $subpath is the committed one", async ({ subpath, source }) => {
  const surface = describeSurface(program, join(repository, source));

  const file = `${subpath.slice(2).replaceAll("/", "-")}.txt`;
  await expect(`${surface}\n`).toMatchFileSnapshot(`surface/${file}`);
});
