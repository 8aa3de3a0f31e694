import { ExecError } from "../../errors.js";
import type { Environment } from "../environment/command-environment.js";
import { findProgram } from "../environment/find-program.js";

/** The absolute path of bubblewrap. @throws {ExecError} `sandbox_unavailable`, which says how to get it. */
export function findBwrap(environment: Environment): string {
  const found = findProgram("bwrap", environment);
  if (found !== undefined) return found;
  throw new ExecError(
    "sandbox_unavailable",
    "a sandbox needs bubblewrap, and there is no bwrap in PATH; install it (Debian, Ubuntu: apt install bubblewrap; " +
      "Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap), or run without a sandbox",
  );
}
