import ts from "typescript";
import { expect, test } from "vitest";
import { listFiles, readText } from "./support/files.js";

const manifest = JSON.parse(readText("package.json")) as Record<
  "dependencies" | "devDependencies",
  Record<string, string>
>;
const pages = listFiles("docs/decisions", ".md");

/** What the build puts into the page: packages that users run without installing them. */
const bundled = [...listFiles("web", ".ts"), ...listFiles("web", ".tsx")].flatMap((path) =>
  ts.preProcessFile(readText(path)).importedFiles.flatMap(({ fileName }) => packageOf(fileName)),
);

test("each package that is run, installed or bundled, is pinned and has a decision page that names its version", () => {
  const missing = Object.entries(delivered()).filter(([name, version]) => {
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

  expect(titles.sort()).toEqual(Object.keys(delivered()).sort());
});

function delivered(): Record<string, string | undefined> {
  return {
    ...manifest.dependencies,
    ...Object.fromEntries(bundled.map((name) => [name, manifest.devDependencies[name]])),
  };
}

/** The name of the package that an import of its subpath names; none for a file. */
function packageOf(specifier: string): string[] {
  if (specifier.startsWith(".")) return [];
  return [
    specifier
      .split("/")
      .slice(0, specifier.startsWith("@") ? 2 : 1)
      .join("/"),
  ];
}
