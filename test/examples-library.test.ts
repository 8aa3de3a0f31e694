import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import { buildCli } from "./cli/support/built-cli.js";
import { readText, repository } from "./support/files.js";

// The examples as programs of their own, with the package as it was built; their types are checked with all others.

beforeAll(buildCli, 300_000);

test("[E1] a tool and a model of one's own, with every event told", async () => {
  expect(await runExample("library")).toMatchInlineSnapshot(`
    "operation_start
    entry_added
    message_start
    message_end
    { town: 'Bergen' }
    tool_end
    message_start
    message_end
    operation_end
    completed
    closed
    "
  `);
});

test("the library's example is 30 lines beside its imports", () => {
  const lines = readText("examples/library/main.ts").trimEnd().split("\n");

  expect(lines.filter((line) => !/^import |^\/\/|^$/.test(line)).length).toBeLessThanOrEqual(30);
});

test("[C2] [H20] inside a Hono server: a prompt over HTTP, and a consumer that follows the chat to its end", async () => {
  expect(await runExample("hono-server")).toMatchInlineSnapshot(`
    "end
    > Count to three.
    { type: 'text', text: 'I count.' }
    [ { type: 'text', text: '1\\n2\\n3\\n' } ]
    { type: 'text', text: 'Three lines.' }
    "
  `);
});

/** What the example prints. */
async function runExample(name: string): Promise<string> {
  const source = join(repository, "examples", name);
  // Below the repository, so that `spillway/…` is this package.
  const parent = join(repository, ".spillway");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "example-"));
  try {
    for (const file of readdirSync(source).filter((path) => path.endsWith(".ts"))) {
      const { outputText } = ts.transpileModule(readText(`examples/${name}/${file}`), {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
      });
      writeFileSync(join(folder, file.replace(/ts$/, "js")), outputText);
    }
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "main.js")], { timeout: 60_000 });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
