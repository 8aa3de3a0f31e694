import type { EphemeralScope, Scope } from "./address.js";
import { checkKey, checkScope, checkTag } from "./check.js";
import type { AppendOptions, SessionTransaction } from "./contract.js";
import { StorageError } from "./errors.js";
import { toJsonText } from "./json-text.js";
import { MAX_COMMIT_BYTES } from "./limits.js";
import type { JsonText, Write } from "./writes.js";

/** What a write costs besides: no number of tiny ones can make a line that is too long to be read. */
const WRITE_BYTES = 150;

/** Runs `build` and gives what it stated, checked: nothing of a refused commit reaches a backend. */
export function collectWrites<R>(
  scope: Scope,
  build: (transaction: SessionTransaction) => R,
): { readonly writes: readonly Write<JsonText>[]; readonly value: R } {
  const collector = new WriteCollector(scope);
  try {
    const value = build(collector.transaction);
    refusePromise(value);
    return { writes: collector.writes, value };
  } finally {
    collector.close();
  }
}

class WriteCollector {
  readonly writes: Write<JsonText>[] = [];
  readonly transaction: SessionTransaction;
  readonly #scope: Scope;
  #bytes = 0;
  #isOpen = true;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.transaction = {
      // One object serves both kinds of transaction; the caller's type says which of it is seen.
      scope: scope as never,
      set: ({ scope: target, key }, value) => {
        this.#check(target, key);
        this.#state({ kind: "set", key, text: toJsonText(value, key) });
      },
      delete: ({ scope: target, key }) => {
        this.#check(target, key);
        this.#state({ kind: "delete", key });
      },
      append: ({ scope: target, key }, element, options: AppendOptions = {}) => {
        this.#check(target, key);
        if (options.tag !== undefined) checkTag(options.tag);
        this.#state({ kind: "append", key, text: toJsonText(element, key), options });
      },
      clear: ({ scope: target, key }) => {
        this.#check(target, key);
        this.#state({ kind: "clear", key });
      },
      retireScope: (retired: EphemeralScope) => {
        checkScope(retired);
        if (scope.kind !== "session") throw mixed(`only a commit of the session can retire scope ${retired.id}`);
        this.#state({ kind: "retire", scopeId: retired.id });
      },
    };
  }

  close(): void {
    this.#isOpen = false;
  }

  #check(target: Scope, key: string): void {
    checkScope(target);
    checkKey(key);
    const own = this.#scope;
    const isOwn =
      own.kind === "session" ? target.kind === "session" : target.kind === "ephemeral" && target.id === own.id;
    if (!isOwn) throw mixed(`a write to ${nameOf(target)} stands in a commit of ${nameOf(own)}`);
  }

  #state(write: Write<JsonText>): void {
    if (!this.#isOpen) {
      throw new StorageError("invalid_argument", "A transaction is of no use after its `build` has returned.");
    }
    this.#bytes += WRITE_BYTES + keyOf(write).length + ("text" in write ? write.text.bytes : 0);
    if (this.#bytes > MAX_COMMIT_BYTES) {
      throw new StorageError(
        "invalid_argument",
        `One commit holds at most ${MAX_COMMIT_BYTES} bytes of JSON and keys, and the write to ${keyOf(write)} exceeds that; use several.`,
      );
    }
    this.writes.push(write);
  }
}

function refusePromise(value: unknown): void {
  if (typeof value !== "object" || value === null || !("then" in value) || typeof value.then !== "function") return;
  Promise.resolve(value).catch(() => undefined);
  throw new StorageError("invalid_argument", "`build` must be synchronous; read what it needs before the commit.");
}

function mixed(what: string): StorageError {
  return new StorageError("mixed_scopes", `One commit writes one scope, but ${what}; use one commit each.`);
}

function nameOf(scope: Scope): string {
  return scope.kind === "session" ? "the session" : `scope ${scope.id}`;
}

function keyOf(write: Write<JsonText>): string {
  return write.kind === "retire" ? write.scopeId : write.key;
}
