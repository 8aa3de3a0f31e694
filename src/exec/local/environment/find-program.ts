import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "./command-environment.js";

/** Where programs are looked for when `PATH` is not set. */
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** The absolute path of a program that is named so or lies in `PATH`. */
export function findProgram(name: string, environment: Environment): string | undefined {
  // A relative folder would mean another one once the command's working folder is entered.
  const folders = searchPath(environment).split(delimiter).filter(isAbsolute);
  const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  return candidates.find(isExecutable);
}

export function searchPath(environment: Environment): string {
  return environment["PATH"] ?? DEFAULT_PATH;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
