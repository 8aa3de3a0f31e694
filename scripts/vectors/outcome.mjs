/** A value as it comes through JSON text. */
export function clone(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Code and op index of what a call refuses. */
export function refusalOf(call) {
  try {
    call();
  } catch (error) {
    if (typeof error?.code !== "string") throw error;
    return error.index === undefined ? { code: error.code } : { code: error.code, index: error.index };
  }
  throw new Error("it was not refused");
}
