/** What a call that can fail gives back: a value, or a coded error that still carries what was there. */
export type Result<T, E extends Error> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function failed<E extends Error>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** The value of a result; throws its error if it has none. */
export function getOrThrow<T, E extends Error>(result: Result<T, E>): T {
  if (result.ok) return result.value;
  throw result.error;
}
