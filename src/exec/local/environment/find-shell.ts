import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { ExecError } from "../../errors.js";
import type { Environment } from "./command-environment.js";

/** Where programs are looked for when `PATH` is not set. */
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** The absolute path of the shell that runs commands: the one asked for, else `bash`, else `sh`. */
export function findShell(asked: string | undefined, environment: Environment): string {
  const names = asked === undefined ? ["bash", "sh"] : [asked];
  const path = environment["PATH"] ?? DEFAULT_PATH;
  for (const name of names) {
    // A relative folder would mean another one once the command's working folder is entered.
    const folders = path.split(delimiter).filter(isAbsolute);
    const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
    const found = candidates.find(isExecutable);
    if (found !== undefined) return found;
  }
  throw new ExecError(
    "spawn_failed",
    asked === undefined
      ? `found neither bash nor sh in PATH (${path}); install one, or name a shell with the option "shell"`
      : `the shell ${asked} is not an executable file${isAbsolute(asked) ? "" : ` in PATH (${path})`}`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
