import { relative } from "node:path";
import ts from "typescript";
import { projectFiles } from "./program.mjs";

/** Checks every file, prints the type of every name that it declares, and gives the number of errors. */
export function checkFiles(program, root, reporter) {
  const files = projectFiles(program);
  const checker = program.getTypeChecker();
  let errors = 0;
  for (const [index, file] of files.entries()) {
    const path = relative(root, file.fileName);
    reporter.progress(index + 1, files.length, `checking ${path}`);
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    for (const diagnostic of diagnostics) reporter.warn(describeDiagnostic(diagnostic, path));
    errors += diagnostics.length;
    printDeclarations(file, path, checker, reporter);
  }
  return errors;
}

function printDeclarations(file, path, checker, reporter) {
  const visit = (node) => {
    if (node.name !== undefined && ts.isIdentifier(node.name)) {
      const { line, character } = file.getLineAndCharacterOfPosition(node.name.getStart(file));
      const type = checker.typeToString(checker.getTypeAtLocation(node), node);
      reporter.line(`${path}:${line + 1}:${character + 1} ${node.name.text}: ${type}`);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
}

function describeDiagnostic(diagnostic, path) {
  const { line, character } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, " ");
  return `${path}:${line + 1}:${character + 1} error TS${diagnostic.code}: ${text}`;
}
