import { join, relative } from "node:path";
import ts from "typescript";

/** What is built: layers that stand on nothing but each other, so that the demo does not grow with all that is above them. */
const LAYERS = ["delta", "exec", "protocol", "lane", "facet", "wire/client"];

/** Parses these layers as `tsconfig.build.json` states it, and tells of each file that the compiler reads for it. */
export function openProgram(root, reporter) {
  const configPath = join(root, "tsconfig.build.json");
  const config = ts.getParsedCommandLineOfConfigFile(
    configPath,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  const host = ts.createCompilerHost(config.options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) => {
    const file = readSource(path, ...rest);
    if (file !== undefined) {
      const lines = file.getLineStarts().length;
      reporter.line(
        `parsed ${relative(root, path)}: ${lines} lines, ${file.text.length} characters, ${file.nodeCount} nodes`,
      );
    }
    return file;
  };
  const isBuilt = (path) => LAYERS.some((layer) => path.startsWith(join(root, "src", layer, "/")));
  const files = config.fileNames.filter((path) => isBuilt(path) || path.endsWith(".d.ts"));
  return ts.createProgram(files, config.options, host);
}

/** The files of the project itself, without the libraries that it uses. */
export function projectFiles(program) {
  return program
    .getSourceFiles()
    .filter((file) => !program.isSourceFileFromExternalLibrary(file) && !program.isSourceFileDefaultLibrary(file))
    .filter((file) => !file.isDeclarationFile);
}

function fail(diagnostic) {
  throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
}
