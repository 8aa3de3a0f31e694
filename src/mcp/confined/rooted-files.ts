import { ExecError, failed } from "../../exec/index.js";
import type { EnvFiles, Result } from "../../exec/index.js";
import { isBelow } from "./root.js";
import type { Root } from "./root.js";

/**
 * The files of an env as far as they lie below the root, to be looked at alone. It goes by where what was read really lies, as
 * the env says with the content itself, so no link leads out, however it is exchanged meanwhile.
 */
export function createRootedFiles(files: EnvFiles, root: Root): EnvFiles {
  const check = <T>(path: string, found: Result<T, ExecError>, place: (value: T) => string): Result<T, ExecError> => {
    if (!found.ok) return found;
    const real = place(found.value);
    if (isBelow(root.path, real) || root.isReadable(real)) return found;
    return failed(outside("path", path, root));
  };
  const refuse = (): Promise<Result<never, ExecError>> =>
    Promise.resolve(failed(new ExecError("permission_denied", "files are only looked at here; change them with bash")));
  return {
    stat: async (path) => check(path, await files.stat(path), (info) => info.path),
    read: async (path, options) => check(path, await files.read(path, options), ({ info }) => info.path),
    list: async (path) => check(path, await files.list(path), (listing) => listing.path),
    write: refuse,
    makeFolder: refuse,
    rename: refuse,
    remove: refuse,
  };
}

export function outside(field: string, path: string, { path: root }: Root): ExecError {
  return new ExecError("permission_denied", `${field}: ${path} lies outside of the root ${root}; name one below it`);
}
