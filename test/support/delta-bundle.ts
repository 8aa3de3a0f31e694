import { join } from "node:path";
import { build } from "vite";
import type { Plugin } from "vite";
import { repository } from "./files.js";

export interface DeltaBundle {
  readonly code: string;
  /** Every file that was read for it. */
  readonly modules: readonly string[];
}

/** What a program with this text becomes for those who visit its page: bundled and minified, with the built package as users install it. */
export async function bundleDelta(text: string): Promise<DeltaBundle> {
  const modules = new Set<string>();
  const result = await build({
    root: repository,
    configFile: false,
    logLevel: "silent",
    plugins: [entryOf(text), builtDelta, { name: "modules", moduleParsed: ({ id }) => void modules.add(id) }],
    build: {
      write: false,
      minify: true,
      modulePreload: false,
      rollupOptions: { input: ENTRY, preserveEntrySignatures: "strict", output: { format: "es" } },
    },
  });
  const [output] = [result].flat();
  if (output === undefined || !("output" in output)) throw new Error("the bundler gave nothing");
  modules.delete(ENTRY);
  return { code: output.output.map((file) => ("code" in file ? file.code : "")).join(""), modules: [...modules] };
}

/** In the package's own folder, so that the package's name is found as its users find it. */
const ENTRY = join(repository, "delta-program.js");

function entryOf(text: string): Plugin {
  return {
    name: "entry",
    enforce: "pre",
    resolveId: (id) => (id === ENTRY ? id : null),
    load: (id) => (id === ENTRY ? text : null),
  };
}

/** Tests name the sources, so that the compiler looks at them; what is to be run is what was built of them. */
const builtDelta: Plugin = {
  name: "built-delta",
  enforce: "pre",
  resolveId: (id) => (id.endsWith("/index.js") && id.startsWith("..") ? join(repository, "dist/delta/index.js") : null),
};
