// Bundles the programs of the soak from their sources, so that each starts at once: gives where they are.
import { mkdirSync, mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The folder is the caller's to remove. */
export async function buildPrograms() {
  // Below the repository, so that what is native code is found; a folder of its own, so that runs do not meet.
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, "soak-"));
  const { build } = await import("vite");
  const sources = dirname(fileURLToPath(import.meta.url));
  await build({
    root,
    configFile: false,
    publicDir: false,
    mode: "production",
    logLevel: "error",
    ssr: { noExternal: true, external: ["fs-native-extensions"] },
    build: {
      ssr: true,
      outDir,
      target: "node20",
      minify: false,
      reportCompressedSize: false,
      rollupOptions: {
        input: { soak: join(sources, "main.ts"), life: join(sources, "life.ts"), viewer: join(sources, "viewer.ts") },
        output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
      },
    },
  });
  const cli = join(root, "dist", "bin", "spillway.js");
  const programs = { life: join(outDir, "life.mjs"), viewer: join(outDir, "viewer.mjs"), cli };
  return { folder: outDir, main: join(outDir, "soak.mjs"), programs };
}
