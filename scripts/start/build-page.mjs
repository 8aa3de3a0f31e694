// Bundles the viewer of web/ into the folder it is given. A program of its own, so that a start that is killed takes
// the build down with it like any other step.
//
//   node scripts/start/build-page.mjs FOLDER
import { fileURLToPath } from "node:url";

const [outDir] = process.argv.slice(2);

// What is built must not depend on who starts the build: within tests the packages would be those for development.
process.env.NODE_ENV = "production";
const { build } = await import("vite");

await build({
  root: fileURLToPath(new URL("../../web/", import.meta.url)),
  configFile: false,
  publicDir: false,
  mode: "production",
  logLevel: "error",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    // The content policy allows no inline script, and nothing is inlined that could be a file.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    license: { fileName: "licenses.md" },
  },
});
