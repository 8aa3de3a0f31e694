/** An environment variable's name as a shell takes it. */
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** For an option that may be repeated. @throws {RangeError} whose message says what is accepted. */
export function collectVariable(name: string, previous: readonly string[] | undefined): readonly string[] {
  if (!VARIABLE.test(name))
    throw new RangeError(`"${name}" is not the name of a variable; use letters, digits and _, without a value`);
  return [...(previous ?? []), name];
}
