import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageFile, WirePage } from "../../wire/index.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The built page, beside the built CLI. */
const builtFolder = fileURLToPath(new URL("../../web/", import.meta.url));

/** The files of the page by their paths, `index.html` as `/`; undefined where it was not built. */
export function readPageFiles(folder = builtFolder): WirePage | undefined {
  const files = new Map<string, PageFile>();
  for (const name of listFiles(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    files.set(name === "index.html" ? "/" : `/${name}`, {
      type,
      body: Uint8Array.from(readFileSync(join(folder, name))),
    });
  }
  return files.has("/") ? files : undefined;
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}
