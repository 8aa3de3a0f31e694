import { ExecError } from "../../errors.js";
import type { FileErrorCode } from "../../errors.js";
import { failed } from "../../result.js";
import type { Result } from "../../result.js";

/** Does something to a file; what the system refuses is a coded error that names the path as the caller gave it. */
export async function codedFile<T>(
  path: string,
  work: () => Promise<Result<T, ExecError>>,
): Promise<Result<T, ExecError>> {
  try {
    return await work();
  } catch (error) {
    return failed(error instanceof ExecError ? error : describeFailure(path, error));
  }
}

const CODES: Readonly<Record<string, readonly [code: FileErrorCode, words: string]>> = {
  ENOENT: ["file_not_found", "does not exist"],
  EEXIST: ["file_exists", "exists already"],
  EISDIR: ["not_a_file", "is a folder"],
  ENOTDIR: ["not_a_folder", "is not a folder, or leads through something that is none"],
  ENOTEMPTY: ["folder_not_empty", "is a folder that is not empty"],
  EACCES: ["permission_denied", "may not be used by this user"],
  EPERM: ["permission_denied", "may not be used by this user"],
  EROFS: ["permission_denied", "lies on a file system that is read-only"],
  ENOSPC: ["disk_full", "does not fit on the disk"],
  EDQUOT: ["disk_full", "is beyond this user's quota on the disk"],
};

function describeFailure(path: string, cause: unknown): ExecError {
  const name = path.slice(0, 300);
  const known = cause instanceof Error && "code" in cause ? CODES[String(cause.code)] : undefined;
  if (known !== undefined) return new ExecError(known[0], `${name} ${known[1]}`, { cause });
  return new ExecError("file_failed", `${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}
