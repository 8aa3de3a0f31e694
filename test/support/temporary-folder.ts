import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One folder for all that the tests leave in the system's folder for temporary files: processes that are killed do not tidy up. */
export function setup(): () => void {
  // A short name: the path of a socket has room for a hundred bytes.
  const folder = mkdtempSync(join(tmpdir(), "sw-"));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
