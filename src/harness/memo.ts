import { DeltaError, track } from "../delta/index.js";
import type { Json } from "../protocol/index.js";
import { HarnessError } from "./errors.js";

/** UTF-8 bytes of one memo as JSON. What is larger belongs into a file, and its name into the memo. */
export const MAX_MEMO_BYTES = 65_536;

const MEMO_NAME = /^[a-z0-9_.-]{1,64}$/;

export function checkMemoName(name: string): void {
  if (MEMO_NAME.test(name)) return;
  throw new HarnessError(
    "invalid_argument",
    `A memo's name is 1 to 64 characters of a-z, 0-9, _, . and -; not "${name}".`,
  );
}

export function busyMemo(name: string): HarnessError {
  return new HarnessError("memo_busy", `The memo "${name}" is being made; await it before it is asked for again.`);
}

/** The value as it will be read back: a copy. Refuses what JSON cannot hold, for a replay would be given something else. */
export function copyMemo(name: string, value: unknown): Json {
  const copy = copyJson(name, value);
  const bytes = Buffer.byteLength(JSON.stringify(copy));
  if (bytes <= MAX_MEMO_BYTES) return copy;
  throw new HarnessError(
    "memo_too_large",
    `A memo has at most ${MAX_MEMO_BYTES} bytes as JSON; "${name}" has ${bytes}. Keep it in a file and note the file's name.`,
  );
}

function copyJson(name: string, value: unknown): Json {
  try {
    const { value: copy } = track({ value: value as Json }).snapshot();
    if (copy !== undefined) return copy;
  } catch (cause) {
    if (!(cause instanceof DeltaError)) throw cause;
    throw new HarnessError("memo_not_json", `The memo "${name}" is not JSON: ${cause.message}.`, { cause });
  }
  throw new HarnessError(
    "memo_not_json",
    `The memo "${name}" is not JSON: it is undefined; give null where there is nothing to note.`,
  );
}
