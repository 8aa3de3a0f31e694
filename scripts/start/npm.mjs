import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** How to call npm: the one that called us, else the one in the path, else the one that came with this Node. */
export function findNpm(env, nodePath) {
  const caller = env.npm_execpath;
  if (caller !== undefined && caller.endsWith("npm-cli.js")) return { command: nodePath, args: [caller] };
  const inPath = (env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, "npm")));
  if (inPath) return { command: "npm", args: [] };
  const bundled = join(dirname(nodePath), "..", "lib", "node_modules", "npm", "bin", "npm-cli.js");
  return existsSync(bundled) ? { command: nodePath, args: [bundled] } : undefined;
}
