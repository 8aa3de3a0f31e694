import { isAbsolute } from "node:path";
import { ExecError } from "../../errors.js";
import type { Environment } from "./command-environment.js";
import { findProgram, searchPath } from "./find-program.js";

/** The absolute path of the shell that runs commands: the one asked for, else `bash`, else `sh`. */
export function findShell(asked: string | undefined, environment: Environment): string {
  for (const name of asked === undefined ? ["bash", "sh"] : [asked]) {
    const found = findProgram(name, environment);
    if (found !== undefined) return found;
  }
  const path = searchPath(environment);
  throw new ExecError(
    "spawn_failed",
    asked === undefined
      ? `found neither bash nor sh in PATH (${path}); install one, or name a shell with the option "shell"`
      : `the shell ${asked} is not an executable file${isAbsolute(asked) ? "" : ` in PATH (${path})`}`,
  );
}
