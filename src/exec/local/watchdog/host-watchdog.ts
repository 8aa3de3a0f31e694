import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TreeRegistry } from "../processes/tree.js";
import { createWatchdog } from "./watchdog.js";

let watchdog: TreeRegistry | undefined;

/**
 * The watchdog of this process. It is the process that dies, not one of its envs, so all of them share one, and the layer
 * keeps it here. Nothing is started before the first registration.
 */
export function hostWatchdog(): TreeRegistry {
  watchdog ??= createWatchdog({ spawn, stopCommand: findStopCommand, environment: ownEnvironment() });
  return watchdog;
}

/** Where `ps` is found, and what Node itself may be linked with. */
const OWN_VARIABLES = ["PATH", "LD_LIBRARY_PATH"];

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    OWN_VARIABLES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The program lies beside this file: as JavaScript where the layer was built, as TypeScript where tests run its source. */
function findStopCommand(): readonly string[] {
  const built = fileURLToPath(new URL("./stop-registered.js", import.meta.url));
  if (existsSync(built)) return [process.execPath, built];
  const source = fileURLToPath(new URL("./stop-registered.ts", import.meta.url));
  const loader = new URL("./source-loader.mjs", import.meta.url).href;
  if (existsSync(source)) return [process.execPath, "--import", loader, source];
  throw new Error(`the watchdog's program ${built} is missing; leave spillway out of bundles, or give a registry`);
}
