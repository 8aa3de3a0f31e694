import type { EphemeralScope, Scope } from "./address.js";
import type { Sequence } from "./contract.js";
import { ScopeIndex } from "./scope-index.js";
import type { StoredText, Write } from "./writes.js";

/** What a session holds: its main log and, in the order in which their lives began, its ephemeral scopes. */
export class SessionIndex<T extends StoredText> {
  main: ScopeIndex<T>;
  readonly sidecars: Map<string, ScopeIndex<T>>;

  constructor(main = new ScopeIndex<T>(), sidecars: Iterable<readonly [scopeId: string, index: ScopeIndex<T>]> = []) {
    this.main = main;
    this.sidecars = new Map(sidecars);
  }

  find(scope: Scope): ScopeIndex<T> | undefined {
    return scope.kind === "session" ? this.main : this.sidecars.get(scope.id);
  }

  apply(scope: Scope, writes: readonly Write<T>[], sequence: Sequence): void {
    const target = this.find(scope) ?? new ScopeIndex<T>();
    if (scope.kind === "ephemeral") this.sidecars.set(scope.id, target);
    for (const write of writes) {
      if (write.kind === "retire") this.sidecars.delete(write.scopeId);
      else target.apply(write, sequence);
    }
  }

  liveScopes(): EphemeralScope[] {
    return [...this.sidecars].filter(([, { count }]) => count > 0).map(([id]) => ({ kind: "ephemeral", id }));
  }
}
