import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Words that run a program which lies beside the module with this address: as JavaScript where the layer was built, as
 * TypeScript where tests run its source. @throws where it is missing
 */
export function layerProgram(name: string, beside: string): readonly string[] {
  const built = fileURLToPath(new URL(`./${name}.js`, beside));
  if (existsSync(built)) return [process.execPath, built];
  const source = fileURLToPath(new URL(`./${name}.ts`, beside));
  const loader = new URL(LOADER, import.meta.url).href;
  if (existsSync(source)) return [process.execPath, "--import", loader, source];
  throw new Error(`the program ${built} is missing; leave spillway out of bundles`);
}

/** The folder of the package that a module belongs to, with all that it may load; its own folder, where it is in none. */
export function packageFolder(address: string): string {
  const own = dirname(fileURLToPath(address));
  for (let folder = own; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  return own;
}

const LOADER = "./watchdog/source-loader.mjs";
