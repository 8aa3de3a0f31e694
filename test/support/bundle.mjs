// Bundles programs with all that they import, so that each starts at once: hundreds of modules take longer to load than
// most of them run.
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export async function bundlePrograms(input) {
  // Below the repository, so that what is native code is found; a folder of its own, so that runs do not meet.
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "programs-"));
  const { build } = await import("vite");
  await build({
    root,
    configFile: false,
    publicDir: false,
    mode: "production",
    logLevel: "error",
    ssr: { noExternal: true, external: ["fs-native-extensions"] },
    build: {
      ssr: true,
      outDir: folder,
      target: "node20",
      minify: false,
      reportCompressedSize: false,
      rollupOptions: {
        input,
        output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
      },
    },
  });
  return { folder, program: (name) => join(folder, `${name}.mjs`) };
}
