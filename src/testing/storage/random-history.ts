import { ephemeralScope, listAddress, sessionScope, valueAddress } from "../../storage/index.js";
import type { Scope, SessionReader, SessionStorage } from "../../storage/index.js";
import type { CaseContext, StorageCase } from "./stage.js";

/** Random histories, each compared with a plain model after every opening. A failure names its seed. */
export function randomCases(seed: number, rounds: number): StorageCase[] {
  return Array.from({ length: rounds }, (_, round) => ({
    title: `[S10] a random history reads like a plain model (seed ${seed + round})`,
    run: (context) => runHistory(context, makeRandom(seed + round)),
  }));
}

const scopeIds = ["", "op_a", "op_b", "op_c"];
const keys = ["k1", "k2"];

/** Per scope ("" is the session): what `readScope` gives. */
type Model = Map<string, ScopeModel>;

interface ScopeModel {
  readonly values: Map<string, unknown>;
  readonly lists: Map<string, { readonly value: unknown; readonly tag: string | undefined }[]>;
}

async function runHistory(context: CaseContext, random: Random): Promise<void> {
  const model: Model = new Map();
  let { session } = context;
  for (let opening = 0; opening < 4; opening += 1) {
    const commits: Promise<unknown>[] = [];
    for (let step = random(5, 60); step > 0; step -= 1) {
      commits.push(commitAtRandom(session, model, random));
      if (random(0, 3) === 0) await Promise.all(commits.splice(0));
    }
    await Promise.all(commits);
    await compare(context, session, model);
    session = await context.reopen();
    await compare(context, session, model);
  }
}

function commitAtRandom(session: SessionStorage, model: Model, random: Random): Promise<unknown> {
  const id = scopeIds[random(0, 3)] ?? "";
  if (id !== "") {
    const scope = ephemeralScope(id);
    return session.commit(
      scope,
      (transaction) => {
        for (let writes = random(1, 3); writes > 0; writes -= 1) {
          const key = keys[random(0, 1)] ?? "";
          stateAtRandom(scopeModel(model, id), key, random, {
            set: (value) => transaction.set(valueAddress(scope, key), value),
            delete: () => transaction.delete(valueAddress(scope, key)),
            append: (value, options) => transaction.append(listAddress(scope, key), value, options),
            clear: () => transaction.clear(listAddress(scope, key)),
          });
        }
      },
      { sync: random(0, 1) === 0 ? "always" : "interval" },
    );
  }
  return session.commit(sessionScope, (transaction) => {
    const key = keys[random(0, 1)] ?? "";
    stateAtRandom(scopeModel(model, id), key, random, {
      set: (value) => transaction.set(valueAddress(sessionScope, key), value),
      delete: () => transaction.delete(valueAddress(sessionScope, key)),
      append: (value, options) => transaction.append(listAddress(sessionScope, key), value, options),
      clear: () => transaction.clear(listAddress(sessionScope, key)),
    });
    const retired = scopeIds[random(1, 12)];
    if (retired === undefined) return;
    transaction.retireScope(ephemeralScope(retired));
    model.delete(retired);
  });
}

interface Statements {
  set(value: unknown): void;
  delete(): void;
  append(value: unknown, options: { readonly tag?: string; readonly supersedes: boolean }): void;
  clear(): void;
}

function stateAtRandom(model: ScopeModel, key: string, random: Random, statements: Statements): void {
  const value = { n: random(0, 1_000), text: "é🦊\u2028\n".repeat(random(0, 40)) };
  const list = model.lists.get(key) ?? [];
  model.lists.set(key, list);
  switch (random(0, 7)) {
    case 0:
      statements.delete();
      model.values.delete(key);
      return;
    case 1:
      statements.clear();
      list.length = 0;
      return;
    case 2:
    case 3:
      statements.set(value);
      model.values.set(key, value);
      return;
    default: {
      const supersedes = random(0, 5) === 0;
      const tag = random(0, 3) === 0 ? "base" : undefined;
      statements.append(value, tag === undefined ? { supersedes } : { supersedes, tag });
      if (supersedes) list.length = 0;
      list.push({ value, tag });
    }
  }
}

async function compare({ assert, storage }: CaseContext, session: SessionStorage, model: Model): Promise<void> {
  const reader = await storage.read(session.sessionId);
  for (const id of scopeIds) {
    const expected = describe(model.get(id));
    assert.deepEqual(await readScope(session, id), expected);
    assert.deepEqual(await readScope(reader, id), expected);
  }
  await reader.close();
}

function describe(model: ScopeModel | undefined): Record<string, unknown> {
  return Object.fromEntries(
    keys.map((key) => {
      const list = model?.lists.get(key) ?? [];
      return [key, { value: model?.values.get(key), list, newest: newestToBase(list).map(({ value }) => value) }];
    }),
  );
}

async function readScope(reader: SessionReader, id: string): Promise<Record<string, unknown>> {
  const scope: Scope = id === "" ? sessionScope : ephemeralScope(id);
  const read: [string, unknown][] = [];
  for (const key of keys) {
    const address = { kind: "list" as const, scope, key };
    const { elements } = await reader.readList(address, { limit: 10_000 });
    const newest = await reader.readList(address, { limit: 10_000, order: "desc", stopAtTag: "base" });
    read.push([
      key,
      {
        value: await reader.readValue({ kind: "value", scope, key }),
        list: elements.map(({ value, tag }) => ({ value, tag })),
        newest: newest.elements.map(({ value }) => value),
      },
    ]);
  }
  return Object.fromEntries(read);
}

function newestToBase<T extends { readonly tag: string | undefined }>(list: readonly T[]): T[] {
  const base = list.findLastIndex(({ tag }) => tag === "base");
  return list.slice(Math.max(base, 0)).reverse();
}

function scopeModel(model: Model, id: string): ScopeModel {
  const found = model.get(id) ?? { values: new Map(), lists: new Map() };
  model.set(id, found);
  return found;
}

/** An integer between both, each included. */
type Random = (from: number, to: number) => number;

/** Mulberry32: small, and the same everywhere. */
function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  return (from, to) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return from + (((mixed ^ (mixed >>> 14)) >>> 0) % (to - from + 1));
  };
}
