import { resolve, sep } from "node:path";
import { ExecError } from "../../errors.js";
import type { EnvFiles } from "../../files.js";
import { failed } from "../../result.js";
import type { Result } from "../../result.js";
import { readSpillFate } from "./spill-fate.js";
import type { SpillFate } from "./spill-fate.js";

/** As `files`, but for spills that a sweep has removed: whoever looks for one is told so, and is not left to guess. */
export function tellExpiredSpills(files: EnvFiles, cwd: string, spillRoot: string | undefined): EnvFiles {
  if (spillRoot === undefined) return files;
  const tell = <T>(path: string, found: Result<T, ExecError>): Promise<Result<T, ExecError>> =>
    explainAbsence(resolve(cwd, path), resolve(spillRoot), found);
  return {
    ...files,
    stat: async (path) => tell(path, await files.stat(path)),
    read: async (path, options) => tell(path, await files.read(path, options)),
  };
}

async function explainAbsence<T>(
  path: string,
  spillRoot: string,
  found: Result<T, ExecError>,
): Promise<Result<T, ExecError>> {
  if (found.ok || found.error.code !== "file_not_found" || !path.startsWith(spillRoot + sep)) return found;
  const fate = await readSpillFate(path).catch(() => undefined);
  return fate?.state === "expired" ? failed(expired(path, fate, found.error)) : found;
}

const REASONS = {
  age: "nothing had been written to it for longer than outputs are kept",
  quota: "it was among the oldest when all outputs together were too large",
} as const;

function expired(
  path: string,
  { bytes, removedAt, reason }: Extract<SpillFate, { state: "expired" }>,
  cause: ExecError,
): ExecError {
  const when = new Date(removedAt).toISOString();
  const message = `the output file ${path}, ${bytes} bytes, was removed at ${when}: ${REASONS[reason]}; run the command again`;
  return new ExecError("spill_expired", message, { cause });
}
