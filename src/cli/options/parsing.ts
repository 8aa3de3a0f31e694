import { InvalidArgumentError } from "commander";

/** Lets commander name the option or argument when a value is refused with a RangeError. */
export function parsing<T>(
  parse: (text: string, previous: T | undefined) => T,
): (text: string, previous: T | undefined) => T {
  return (text, previous) => {
    try {
      return parse(text, previous);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new InvalidArgumentError(`${error.message}.`);
    }
  };
}
