import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageFile, WirePage } from "../wire/index.js";

/** Of the files that a build of the page makes; others are none of it and are not served. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The build lays the page beside the CLI. */
const builtFolder = fileURLToPath(new URL("../web/", import.meta.url));

/**
 * The viewer as it was built into `folder`, by the paths under which browsers ask for its files; `/` is its
 * `index.html`. Undefined where none was built. The files are read once: a build that replaces them meanwhile changes
 * nothing of what is served.
 */
export function readPageFiles(folder = builtFolder): WirePage | undefined {
  const page = new Map<string, PageFile>();
  for (const path of listFiles(folder)) {
    const type = TYPES[extname(path)];
    if (type !== undefined) page.set(addressOf(path), { type, body: new Uint8Array(readFileSync(join(folder, path))) });
  }
  return page.has("/") ? page : undefined;
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function addressOf(path: string): string {
  return path === "index.html" ? "/" : `/${path.split(sep).join("/")}`;
}
