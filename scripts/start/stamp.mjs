import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Lies in `dist` and holds the hash of what it was built from. */
export const STAMP_FILE = "build.stamp";

/** A hash of all that decides what the build gives: the sources, its settings, and the lock file for its tools' versions. */
export function stampOf(root) {
  const hash = createHash("sha256");
  const builders = ["scripts/start/build-cli.mjs", "scripts/start/build-page.mjs"];
  const settings = ["package-lock.json", "tsconfig.json", "tsconfig.build.json", ...builders];
  const files = [...settings, ...filesBelow(root, "src"), ...(hasPage(root) ? filesBelow(root, "web") : [])];
  for (const file of files) {
    const bytes = readFileSync(join(root, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

export function hasPage(root) {
  return existsSync(join(root, "web", "index.html"));
}

export function isBuilt(root) {
  return readIfThere(join(root, "dist", STAMP_FILE))?.trim() === stampOf(root);
}

/**
 * Whether node_modules is what the lock file says. npm itself leaves the stamp: it writes a lock file of what it
 * installed as its last step, and a package left out there is optional or missing.
 */
export function isInstalled(root) {
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  const wanted = readPackages(join(root, "package-lock.json"));
  if (installed === undefined || wanted === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test(-d)?\.ts$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

function readPackages(path) {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text).packages;
  } catch {
    return undefined;
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}
