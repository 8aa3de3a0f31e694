import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** Files below a folder of the repository, as paths with `/`, in a stable order; empty where the folder is missing. */
export function listFiles(folder: string, suffix: string): string[] {
  try {
    return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
      .map((entry) => relative(repository, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .filter((path) => !path.includes("node_modules/"))
      .sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

export function readText(path: string): string {
  return readFileSync(join(repository, path), "utf8");
}
