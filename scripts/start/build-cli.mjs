// Bundles the CLI, with all that it imports, into few files: hundreds of modules take longer to load than most commands run.
// A program of its own, so that a start that is killed takes the build down with it like any other step.
//
//   node scripts/start/build-cli.mjs COMPILED FOLDER      from what tsc made in COMPILED
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [compiled, outDir] = process.argv.slice(2);

// What is built must not depend on who starts the build.
process.env.NODE_ENV = "production";
const { build } = await import("vite");

await build({
  root: fileURLToPath(new URL("../../", import.meta.url)),
  configFile: false,
  publicDir: false,
  mode: "production",
  logLevel: "error",
  // All but what is native code.
  ssr: { noExternal: true, external: ["fs-native-extensions"] },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: "node20",
    minify: false,
    reportCompressedSize: false,
    license: { fileName: "licenses.md" },
    rollupOptions: {
      input: {
        spillway: join(compiled, "cli", "main.js"),
        // The watchdog is a process that starts with a file of its own, and finds it beside its caller's.
        "stop-registered": join(compiled, "exec", "local", "watchdog", "stop-registered.js"),
        // So is what does an env's file operations inside of its sandbox.
        "sandbox-files-host": join(compiled, "exec", "local", "sandbox", "sandbox-files-host.js"),
      },
      // Flat: what finds files by its own place is one folder deep in `dist`, bundled or not.
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});
