import { spawn } from "node:child_process";
import { layerProgram } from "../layer-program.js";
import type { TreeRegistry } from "../processes/tree.js";
import { createWatchdog } from "./watchdog.js";

let watchdog: TreeRegistry | undefined;

/**
 * The watchdog of this process. It is the process that dies, not one of its envs, so all of them share one, and the layer
 * keeps it here. Nothing is started before the first registration.
 */
export function hostWatchdog(): TreeRegistry {
  watchdog ??= createWatchdog({ spawn, stopCommand, environment: ownEnvironment() });
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

const stopCommand = (): readonly string[] => layerProgram("stop-registered", import.meta.url);
