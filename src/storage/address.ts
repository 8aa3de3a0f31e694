/** The lifetime of a session: its main log. */
export interface SessionScope {
  readonly kind: "session";
}

/** A lifetime that ends when the session retires it: a sidecar. Ids match `[a-z0-9_-]{1,64}`. */
export interface EphemeralScope {
  readonly kind: "ephemeral";
  readonly id: string;
}

export type Scope = SessionScope | EphemeralScope;

export const sessionScope: SessionScope = { kind: "session" };

export function ephemeralScope(id: string): EphemeralScope {
  return { kind: "ephemeral", id };
}

declare const elementType: unique symbol;

/** Where one value lies. `T` is JSON; storage keeps its text and never looks inside. */
export interface ValueAddress<out S extends Scope, in out T> {
  readonly kind: "value";
  readonly scope: S;
  readonly key: string;
  readonly [elementType]?: (value: T) => T;
}

/** Where a list of elements lies. */
export interface ListAddress<out S extends Scope, in out T> {
  readonly kind: "list";
  readonly scope: S;
  readonly key: string;
  readonly [elementType]?: (value: T) => T;
}

/** Keys are 1 to 256 characters of `[A-Za-z0-9_.:/-]`. */
export function valueAddress<T>(scope: SessionScope, key: string): ValueAddress<SessionScope, T>;
export function valueAddress<T>(scope: EphemeralScope, key: string): ValueAddress<EphemeralScope, T>;
export function valueAddress<T>(scope: Scope, key: string): ValueAddress<Scope, T> {
  return { kind: "value", scope, key };
}

export function listAddress<T>(scope: SessionScope, key: string): ListAddress<SessionScope, T>;
export function listAddress<T>(scope: EphemeralScope, key: string): ListAddress<EphemeralScope, T>;
export function listAddress<T>(scope: Scope, key: string): ListAddress<Scope, T> {
  return { kind: "list", scope, key };
}
