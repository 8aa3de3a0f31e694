// Lets Node run this layer's TypeScript as it stands: `node --import source-loader.mjs program.ts`. Only tests need it, it
// is no part of the package; it takes types away with the compiler that comes with the test runner.
import { existsSync, readFileSync } from "node:fs";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

// Node imports this file a second time, in the thread that loads modules.
if (isMainThread) register(import.meta.url);

export function resolve(specifier, context, next) {
  if (/^\.{1,2}\/.*\.js$/.test(specifier)) {
    const url = new URL(specifier.replace(/js$/, "ts"), context.parentURL);
    if (existsSync(url)) return { url: url.href, shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const { transformSync } = await import("rolldown/utils");
  const path = fileURLToPath(url);
  return { format: "module", source: transformSync(path, readFileSync(path, "utf8")).code, shortCircuit: true };
}
