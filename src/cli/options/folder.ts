import { statSync } from "node:fs";
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";

/** The absolute path of a folder that is there. @throws {InvalidArgumentError} */
export function findFolder(base: string, folder: string): string {
  if (folder === "") throw new InvalidArgumentError("It is empty; name a folder.");
  const path = resolve(base, folder);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return path;
  const problem = found === undefined ? "does not exist" : "is not a folder";
  throw new InvalidArgumentError(`${path} ${problem}; name a folder that does.`);
}

/** For an option that may be repeated. */
export function collectFolders(
  base: string,
): (folder: string, previous: readonly string[] | undefined) => readonly string[] {
  return (folder, previous) => [...(previous ?? []), findFolder(base, folder)];
}
