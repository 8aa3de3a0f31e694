import { expect, test } from "vitest";
import { listFiles, readText } from "./support/files.js";

const manifest = JSON.parse(readText("package.json")) as Record<
  "dependencies" | "devDependencies",
  Record<string, string>
>;
const pages = listFiles("docs/decisions", ".md");

test("each runtime dependency is pinned and has a decision page that names its version", () => {
  const missing = Object.entries(manifest.dependencies).filter(([name, version]) => {
    const page = `docs/decisions/dependency-${name.replace("@", "").replace("/", "-")}.md`;
    return !pages.includes(page) || !readText(page).startsWith(`# Dependency: ${name} ${version}\n`);
  });

  expect(missing).toEqual([]);
});

test("every version is exact", () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });

  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("no page stands for a dependency that is gone", () => {
  const titles = pages
    .filter((page) => page.includes("/dependency-"))
    .map((page) => /^# Dependency: (\S+)/.exec(readText(page))?.[1] ?? page);

  expect(titles.sort()).toEqual(Object.keys(manifest.dependencies).sort());
});
