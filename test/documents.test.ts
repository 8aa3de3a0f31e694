import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildCli } from "./cli/support/built-cli.js";
import { listFiles, readText, repository } from "./support/files.js";

/** A `ts` block of a document, and the `text` block right after it, which is what the program prints. */
interface Example {
  readonly name: string;
  readonly code: string;
  readonly output: string;
}

const documents = ["README.md", "ARCHITECTURE.md", ...listFiles("docs", ".md"), ...listFiles("spec", ".md")];
const examples = documents.flatMap((path) => findExamples(path, readText(path)));

let folder: string;
beforeAll(async () => {
  await buildCli();
  // Below the repository, so that `spillway/…` is this package, as built.
  await mkdir(join(repository, ".spillway"), { recursive: true });
  folder = await mkdtemp(join(repository, ".spillway/examples-"));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the documents hold examples", () => {
  expect(examples.length).toBeGreaterThan(0);
});

test.each(examples)("the example at $name prints what the document says", async ({ name, code, output }) => {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const file = join(folder, `${name.replace(/\W/g, "-")}.mjs`);
  await writeFile(file, outputText);

  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 });

  expect(stdout.trimEnd()).toBe(output.trimEnd());
});

function findExamples(path: string, text: string): Example[] {
  return [...text.matchAll(/```ts\n([^]*?)```\s*```text\n([^]*?)```/g)].map((match) => ({
    name: `${path}:${text.slice(0, match.index).split("\n").length}`,
    code: match[1] ?? "",
    output: match[2] ?? "",
  }));
}
