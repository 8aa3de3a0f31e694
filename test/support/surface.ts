import ts from "typescript";

/** The exports of a module with the text of their declarations, without comments and bodies, in the order of their names. */
export function describeSurface(program: ts.Program, indexFile: string): string {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(indexFile);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${indexFile} is no module of the program`);
  return checker
    .getExportsOfModule(module)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((symbol) => describeSymbol(checker, resolve(checker, symbol), symbol.name))
    .join("\n\n");
}

function resolve(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function describeSymbol(checker: ts.TypeChecker, symbol: ts.Symbol, name: string): string {
  const declarations = symbol.declarations ?? [];
  return declarations
    .filter((declaration) => !isImplementationOfOverloads(declaration, declarations))
    .map((declaration) => describeDeclaration(checker, symbol, declaration, name))
    .join("\n");
}

function describeDeclaration(
  checker: ts.TypeChecker,
  symbol: ts.Symbol,
  declaration: ts.Declaration,
  name: string,
): string {
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) return print(declaration);
  if (ts.isClassDeclaration(declaration)) return describeClass(checker, symbol, declaration, name);
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const word = ts.isFunctionDeclaration(declaration) ? "function" : "const";
  const text = ts.isFunctionDeclaration(declaration)
    ? signatureText(checker, declaration)
    : `: ${checker.typeToString(type, declaration, ts.TypeFormatFlags.NoTruncation)}`;
  return `${word} ${name}${text}`;
}

function describeClass(
  checker: ts.TypeChecker,
  symbol: ts.Symbol,
  declaration: ts.ClassDeclaration,
  name: string,
): string {
  const instance = checker.getDeclaredTypeOfSymbol(symbol);
  const members = checker
    .getPropertiesOfType(instance)
    .filter((member) => member.declarations?.some((one) => one.getSourceFile() === declaration.getSourceFile()))
    .filter((member) => !member.name.startsWith("#") && !member.name.startsWith("__#"))
    .map((member) => {
      const type = checker.getTypeOfSymbolAtLocation(member, declaration);
      return `  ${member.name}: ${checker.typeToString(type, declaration, ts.TypeFormatFlags.NoTruncation)};`;
    })
    .sort();
  return [`class ${name} {`, ...members, "}"].join("\n");
}

function signatureText(checker: ts.TypeChecker, declaration: ts.FunctionDeclaration): string {
  const signature = checker.getSignatureFromDeclaration(declaration);
  return signature === undefined
    ? "(?)"
    : checker.signatureToString(signature, declaration, ts.TypeFormatFlags.NoTruncation);
}

function isImplementationOfOverloads(declaration: ts.Declaration, all: readonly ts.Declaration[]): boolean {
  return ts.isFunctionDeclaration(declaration) && declaration.body !== undefined && all.length > 1;
}

function print(node: ts.Node): string {
  const printer = ts.createPrinter({ removeComments: true });
  return printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replace(/^export /, "");
}
