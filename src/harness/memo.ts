import { toJson } from "../delta/index.js";
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
