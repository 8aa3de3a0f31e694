import { ExecError } from "../errors.js";
import { failed, ok } from "../result.js";
import type { Result } from "../result.js";

/** A value, or what was thrown on the way to it. */
export async function coded<T>(work: () => Promise<T>): Promise<Result<T, ExecError>> {
  try {
    return ok(await work());
  } catch (error) {
    return failed(asExecError(error));
  }
}

export function asExecError(error: unknown): ExecError {
  if (error instanceof ExecError) return error;
  const message = `the exec client failed: ${error instanceof Error ? error.message : String(error)}`;
  return new ExecError("internal", message, { cause: error });
}
