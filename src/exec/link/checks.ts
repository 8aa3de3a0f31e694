import { ExecError } from "../errors.js";

/** Gives what came over a link as what it has to be, or says what is wrong with it and where. */
export type Check<T> = (value: unknown, place: string) => T;

interface OptionalCheck<T> extends Check<T | undefined> {
  readonly isOptional: true;
}

type Shape = Readonly<Record<string, Check<unknown>>>;
type OptionalKeys<S extends Shape> = {
  [K in keyof S]: S[K] extends { readonly isOptional: true } ? K : never;
}[keyof S];
type Checked<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKeys<S>>]: ReturnType<S[K]>;
} & { readonly [K in OptionalKeys<S>]?: Exclude<ReturnType<S[K]>, undefined> };

/** An object with these fields; others are left out, so that a later version may add some. */
export function record<S extends Shape>(shape: S): Check<Checked<S>> {
  const fields = Object.entries(shape);
  return (value, place) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(place, "an object");
    const checked: Record<string, unknown> = {};
    for (const [name, check] of fields) {
      const own: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
      const field = check(own, `${place}.${name}`);
      if (field !== undefined) checked[name] = field;
    }
    return checked as Checked<S>;
  };
}

export function optional<T>(check: Check<T>): OptionalCheck<T> {
  const checkOptional = (value: unknown, place: string): T | undefined =>
    value === undefined ? undefined : check(value, place);
  return Object.assign(checkOptional, { isOptional: true as const });
}

export function list<T>(check: Check<T>, most: number): Check<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value) || value.length > most) throw wrong(place, `a list of at most ${most}`);
    return value.map((element, index) => check(element, `${place}[${index}]`));
  };
}

/** Any names with texts. */
export const variables: Check<Readonly<Record<string, string>>> = (value, place) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(place, "an object");
  const checked: Record<string, string> = Object.create(null);
  for (const [name, text] of Object.entries(value)) checked[name] = string(text, `${place}.${name.slice(0, 40)}`);
  return checked;
};

export const string: Check<string> = (value, place) => {
  if (typeof value !== "string") throw wrong(place, "text");
  return value;
};

/** Text that names something: an execution, an owner. */
export const name: Check<string> = (value, place) => {
  if (typeof value !== "string" || !/^[a-z0-9_-]{1,64}$/.test(value))
    throw wrong(place, "1 to 64 of a-z, 0-9, _ and -");
  return value;
};

export const number: Check<number> = (value, place) => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(place, "a number");
  return value;
};

export const count: Check<number> = (value, place) => {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw wrong(place, "a count");
  return value;
};

export const boolean: Check<boolean> = (value, place) => {
  if (typeof value !== "boolean") throw wrong(place, "true or false");
  return value;
};

export function oneOf<const T extends string | number | null>(...values: readonly T[]): Check<T> {
  return (value, place) => {
    const found = values.find((one) => one === value);
    if (found === undefined) throw wrong(place, values.map((one) => JSON.stringify(one)).join(" or "));
    return found;
  };
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value, place) => (value === null ? null : check(value, place));
}

/** Bytes, which cross as base64. */
export const bytes: Check<Uint8Array> = (value, place) => {
  if (typeof value !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) throw wrong(place, "base64");
  return Buffer.from(value, "base64");
};

export const anything: Check<unknown> = (value) => value;

function wrong(place: string, expected: string): ExecError {
  return new ExecError("invalid_argument", `${place} is not ${expected}`);
}
