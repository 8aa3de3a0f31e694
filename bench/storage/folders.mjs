import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// On the disk that the repository is on: the system's folder for temporary files is memory on many machines.
const PARENT = fileURLToPath(new URL("../dist/", import.meta.url));

/**
 * Runs with an empty folder that is gone afterwards.
 *
 * @template R
 * @param {(folder: string) => Promise<R>} run
 * @returns {Promise<R>}
 */
export async function withFolder(run) {
  mkdirSync(PARENT, { recursive: true });
  const folder = mkdtempSync(join(PARENT, "storage-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Bytes of all files in it.
 *
 * @param {string} folder
 */
export function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stats) => sum + (stats?.isFile() === true ? stats.size : 0), 0);
}
