import type { EphemeralScope, Scope } from "./address.js";
import { checkId, checkKey, checkTag, toJsonText } from "./check.js";
import type { AppendOptions, SessionTransaction } from "./contract.js";
import { StorageError } from "./errors.js";
import type { Write } from "./writes.js";

/** Runs `build` and gives what it stated, checked: nothing of a refused commit reaches a backend. */
export function collectWrites<R>(
  scope: Scope,
  build: (transaction: SessionTransaction) => R,
): { readonly writes: readonly Write[]; readonly value: R } {
  const writes: Write[] = [];
  let open = true;
  const state = (target: Scope, key: string, write: Write): void => {
    if (!open) throw new StorageError("invalid_argument", "A transaction is of no use after its `build` has returned.");
    checkKey(key);
    checkScope(scope, target);
    writes.push(write);
  };
  const transaction: SessionTransaction = {
    scope: scope as never,
    set: ({ scope: target, key }, value) => state(target, key, { kind: "set", key, text: toJsonText(value, key) }),
    delete: ({ scope: target, key }) => state(target, key, { kind: "delete", key }),
    append: ({ scope: target, key }, element, options: AppendOptions = {}) => {
      if (options.tag !== undefined) checkTag(options.tag);
      state(target, key, { kind: "append", key, text: toJsonText(element, key), options });
    },
    clear: ({ scope: target, key }) => state(target, key, { kind: "clear", key }),
    retireScope: (retired: EphemeralScope) => {
      checkId("scope", retired.id);
      if (scope.kind !== "session") throw mixed(`only a commit of the session can retire scope ${retired.id}`);
      state(scope, "retire", { kind: "retire", scopeId: retired.id });
    },
  };
  const value = build(transaction);
  open = false;
  if (value instanceof Promise) {
    value.catch(() => undefined);
    throw new StorageError("invalid_argument", "`build` must be synchronous; read what it needs before the commit.");
  }
  return { writes, value };
}

function checkScope(own: Scope, target: Scope): void {
  if (own.kind === "session" ? target.kind === "session" : target.kind === "ephemeral" && target.id === own.id) return;
  throw mixed(`a write to ${nameOf(target)} stands in a commit of ${nameOf(own)}`);
}

function mixed(what: string): StorageError {
  return new StorageError("mixed_scopes", `One commit writes one scope, but ${what}; use one commit each.`);
}

function nameOf(scope: Scope): string {
  return scope.kind === "session" ? "the session" : `scope ${scope.id}`;
}
