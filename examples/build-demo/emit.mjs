import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { projectFiles } from "./program.mjs";

const LARGE_FILE_BYTES = 12_000;

/** Emits every file below `output` and tells what each weighs: as it is, and as a browser would fetch it. */
export function emitFiles(program, output, reporter) {
  const { outDir } = program.getCompilerOptions();
  const files = projectFiles(program);
  for (const [index, file] of files.entries()) {
    reporter.progress(index + 1, files.length, "emitting");
    program.emit(file, (path, text) => {
      const name = relative(outDir, path);
      const target = join(output, name);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
      reporter.line(describeFile(name, text));
      if (name.endsWith(".js") && text.length > LARGE_FILE_BYTES) {
        reporter.warn(`warning: ${name} is larger than ${LARGE_FILE_BYTES} characters`);
      }
    });
  }
}

function describeFile(name, text) {
  const gzip = gzipSync(text).length;
  const brotli = brotliCompressSync(text).length;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return `emitted ${name}: ${Buffer.byteLength(text)} bytes, gzip ${gzip}, brotli ${brotli}, sha256 ${hash}`;
}
