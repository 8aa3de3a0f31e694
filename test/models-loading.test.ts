import ts from "typescript";
import { expect, test } from "vitest";
import { listFiles, readText } from "./support/files.js";

const sources = ["src", "web"]
  .flatMap((folder) => listFiles(folder, ".ts"))
  .filter((path) => !path.endsWith(".test.ts"));

test("[M9] packages of providers are loaded by a request to their provider, and by nothing else", () => {
  const naming = sources
    .map((path) => ({ path, text: readText(path) }))
    .filter(({ text }) => text.includes("@ai-sdk/"));
  const loads = naming.flatMap(({ path, text }) => loadsOf(path, text));

  expect(loads.sort()).toEqual([
    "src/models/anthropic.ts loads @ai-sdk/anthropic when it runs",
    "src/models/openai.ts loads @ai-sdk/openai when it runs",
    "src/models/server.ts loads @ai-sdk/openai-compatible when it runs",
  ]);
});

test("[M9] a planted import of values is found, and one of types is not", () => {
  const text =
    'import { a } from "@ai-sdk/openai";\nimport type { B } from "@ai-sdk/provider";\nexport { c } from "@ai-sdk/x";\n';

  expect(loadsOf("a.ts", text)).toEqual(["a.ts loads @ai-sdk/openai at once", "a.ts loads @ai-sdk/x at once"]);
});

function loadsOf(path: string, text: string): string[] {
  const loads: string[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  visit(source);
  return loads;

  function visit(node: ts.Node): void {
    if (isStatementThatLoads(node)) note(node.moduleSpecifier, "at once");
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      note(node.arguments[0], "when it runs");
    }
    ts.forEachChild(node, visit);
  }

  function note(specifier: ts.Node | undefined, when: string): void {
    if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith("@ai-sdk/")) return;
    loads.push(`${path} loads ${specifier.text} ${when}`);
  }
}

function isStatementThatLoads(node: ts.Node): node is ts.ImportDeclaration | ts.ExportDeclaration {
  if (ts.isExportDeclaration(node)) return !node.isTypeOnly;
  return ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword;
}
