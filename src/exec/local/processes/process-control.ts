import { existsSync } from "node:fs";
import type { Clock } from "../../clock.js";
import { createProcTable } from "./proc-table.js";
import { createPsTable } from "./ps-table.js";
import type { ProcessControl } from "./stop-tree.js";

/** The processes of this machine. */
export function createProcessControl(platform: NodeJS.Platform, clock: Clock): ProcessControl {
  const table = existsSync("/proc/self/stat") ? createProcTable() : createPsTable(platform);
  return { table, kill: (pid, signal) => void process.kill(pid, signal), clock };
}
