import ts from "typescript";

interface Layer {
  readonly rank: number;
  readonly mayImport: readonly string[];
  /** Of those, the layers of which types alone may be imported. */
  readonly typesOnly?: readonly string[];
  /** Packages and Node modules that the layer may use; `"any"` where no limit is set. */
  readonly packages: readonly string[] | "any";
}

const below = (rank: number): string[] =>
  Object.entries(layers)
    .filter(([, layer]) => layer.rank < rank)
    .map(([name]) => name);

/** The table of ARCHITECTURE.md. `wire/client` is a layer of its own because it runs in browsers. */
const layers: Record<string, Layer> = {
  delta: { rank: 0, mayImport: [], packages: [] },
  exec: { rank: 0, mayImport: [], packages: "any" },
  storage: { rank: 0, mayImport: [], packages: "any" },
  protocol: { rank: 1, mayImport: ["delta"], packages: [] },
  tools: { rank: 1.5, mayImport: ["delta", "exec", "protocol"], packages: "any" },
  models: { rank: 1.5, mayImport: ["protocol"], packages: "any" },
  lane: { rank: 2, mayImport: ["delta", "protocol"], packages: [] },
  harness: {
    rank: 3,
    mayImport: ["delta", "exec", "storage", "protocol", "tools", "models", "lane"],
    packages: "any",
  },
  facet: { rank: 4, mayImport: ["delta", "protocol", "lane"], packages: [] },
  "wire/client": { rank: 4.5, mayImport: ["delta", "protocol"], packages: [] },
  wire: { rank: 5, mayImport: ["delta", "protocol", "facet", "wire/client"], packages: "any" },
  mcp: { rank: 6, mayImport: ["exec", "protocol", "tools", "harness"], packages: "any" },
};
// The viewer, which lies beside `src`.
layers["web"] = {
  rank: 6,
  mayImport: ["delta", "protocol", "lane", "facet", "wire/client"],
  typesOnly: ["facet"],
  packages: ["preact", "@preact/signals"],
};
layers["cli"] = { rank: 7, mayImport: below(7), packages: "any" };
layers["testing"] = { rank: 8, mayImport: ["exec", "storage", "models", "protocol"], packages: ["node:"] };

export interface SourceFile {
  /** Below the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Says in one sentence each what breaks the direction of the layers. */
export function findLayerViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const layer = layerOf(file.path);
    if (layer === undefined) return [`${file.path} lies in no layer`];
    return ts
      .preProcessFile(file.text, true, true)
      .importedFiles.flatMap((imported) => checkImport(file, layer, imported.fileName));
  });
}

/** Whether every arrow of the table goes to a lower rank. */
export function findRankViolations(): string[] {
  return Object.entries(layers).flatMap(([name, layer]) =>
    layer.mayImport
      .filter((target) => (layers[target]?.rank ?? Infinity) >= layer.rank)
      .map((target) => `${name} may not be allowed to import ${target}: its rank is not lower`),
  );
}

function checkImport(file: SourceFile, layer: string, specifier: string): string[] {
  if (!specifier.startsWith(".")) return checkPackage(file, layer, specifier);
  const target = new URL(specifier, `file:///${file.path}`).pathname.slice(1);
  const targetLayer = layerOf(target);
  if (targetLayer === layer) return [];
  if (targetLayer === undefined) return [`${file.path} imports ${specifier}, which is outside of src`];
  if (!layers[layer]?.mayImport.includes(targetLayer)) {
    return [`${file.path} imports ${targetLayer}, which ${layer} may not`];
  }
  if (target !== `src/${targetLayer}/index.js`) {
    return [`${file.path} imports ${target}; across layers only src/${targetLayer}/index.js may be imported`];
  }
  if (layers[layer]?.typesOnly?.includes(targetLayer) && importsValues(file.text, specifier)) {
    return [`${file.path} imports more than types of ${targetLayer}`];
  }
  return [];
}

function checkPackage(file: SourceFile, layer: string, specifier: string): string[] {
  const allowed = layers[layer]?.packages ?? [];
  if (allowed === "any" || allowed.some((prefix) => specifier.startsWith(prefix))) return [];
  return [`${file.path} imports ${specifier}; ${layer} has no dependencies`];
}

function layerOf(path: string): string | undefined {
  return Object.keys(layers)
    .sort((a, b) => b.length - a.length)
    .find((name) => path.startsWith(folderOf(name)));
}

function folderOf(layer: string): string {
  return layer === "web" ? "web/" : `src/${layer}/`;
}

function importsValues(text: string, specifier: string): boolean {
  const source = ts.createSourceFile("file.tsx", text, ts.ScriptTarget.Latest);
  return source.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      ts.isStringLiteral(statement.moduleSpecifier) &&
      statement.moduleSpecifier.text === specifier &&
      statement.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword,
  );
}
