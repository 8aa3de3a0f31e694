import { ephemeralScope, listAddress, sessionScope, valueAddress } from "../../storage/index.js";
import type { SessionStorage } from "../../storage/index.js";
import type { StorageCase } from "./stage.js";

const scope = ephemeralScope("op_a");
const steps = listAddress<string>(scope, "steps");
const count = valueAddress<number>(scope, "count");
const result = valueAddress<string>(sessionScope, "result");

export const scopeCases: readonly StorageCase[] = [
  {
    title: "[S3] a scope lives from its first write until it is retired, also over openings",
    async run({ session, assert, reopen }) {
      await addStep(session, "one");
      await session.commit(ephemeralScope("op_0"), (transaction) =>
        transaction.set(valueAddress<number>(ephemeralScope("op_0"), "n"), 1),
      );
      const next = await reopen();
      assert.deepEqual(await next.liveScopes(), [scope, ephemeralScope("op_0")]);
      await retire(next);
      assert.deepEqual(await next.liveScopes(), [ephemeralScope("op_0")]);
      assert.deepEqual(await (await reopen()).liveScopes(), [ephemeralScope("op_0")]);
    },
  },
  {
    title: "[S3] retiring commits with its siblings",
    async run({ session, assert, reopen }) {
      await addStep(session, "one");
      await session.commit(sessionScope, (transaction) => {
        transaction.set(result, "done");
        transaction.retireScope(scope);
      });
      const next = await reopen();
      assert.equal(await next.readValue(result), "done");
      assert.deepEqual(await next.readList(steps), { elements: [] });
      assert.deepEqual(await next.listKeys(scope), []);
    },
  },
  {
    title: "[S3] a retirement whose commit is refused ends nothing",
    async run({ session, assert, refuses }) {
      await addStep(session, "one");
      await refuses("invalid_argument", () =>
        session.commit(sessionScope, (transaction) => {
          transaction.retireScope(scope);
          transaction.set(result, undefined as never);
        }),
      );
      assert.deepEqual(await readSteps(session), ["one"]);
    },
  },
  {
    title: "[S3] an id that is used again begins a new life with nothing in it",
    async run({ session, assert, reopen }) {
      await addStep(session, "old");
      await retire(session);
      await addStep(session, "new");
      assert.deepEqual(await readSteps(session), ["new"]);
      const next = await reopen();
      assert.deepEqual(await readSteps(next), ["new"]);
      assert.equal(await next.readValue(count), 1);
    },
  },
  {
    title: "[S3] lives follow each other in the order of unawaited commits",
    async run({ session, assert, reopen }) {
      await Promise.all([
        addStep(session, "first"),
        addStep(session, "second"),
        retire(session),
        addStep(session, "third"),
        retire(session),
        retire(session),
        addStep(session, "fourth"),
        addStep(session, "fifth"),
      ]);
      assert.deepEqual(await readSteps(session), ["fourth", "fifth"]);
      assert.deepEqual(await readSteps(await reopen()), ["fourth", "fifth"]);
    },
  },
  {
    title: "[S3] a scope that never was may be retired",
    async run({ session, assert, reopen }) {
      await retire(session);
      assert.deepEqual(await (await reopen()).liveScopes(), []);
    },
  },
  {
    title: "[S3] a scope that was emptied is not listed and goes on",
    async run({ session, assert, reopen }) {
      await addStep(session, "one");
      await session.commit(scope, (transaction) => {
        transaction.clear(steps);
        transaction.delete(count);
      });
      assert.deepEqual(await session.liveScopes(), []);
      const next = await reopen();
      assert.deepEqual(await next.liveScopes(), []);
      await addStep(next, "two");
      assert.deepEqual(await readSteps(await reopen()), ["two"]);
    },
  },
  {
    title: "[S3] the same key in two scopes is two addresses",
    async run({ session, assert }) {
      const main = valueAddress<number>(sessionScope, "count");
      await session.commit(sessionScope, (transaction) => transaction.set(main, 7));
      await addStep(session, "one");
      assert.equal(await session.readValue(main), 7);
      assert.equal(await session.readValue(count), 1);
    },
  },
  {
    title: "[S4] keys are listed by the oldest commit that they hold something of",
    async run({ session, assert, reopen }) {
      const early = valueAddress<number>(scope, "early");
      await session.commit(scope, (transaction) => transaction.set(early, 1));
      await addStep(session, "one");
      await session.commit(scope, (transaction) => transaction.set(early, 2));
      const expected = [
        { kind: "value", key: "count" },
        { kind: "list", key: "steps" },
        { kind: "value", key: "early" },
      ];
      assert.deepEqual(await session.listKeys(scope), expected);
      assert.deepEqual(await (await reopen()).listKeys(scope), expected);
    },
  },
  {
    title: "[S9] no scope id leaves the session",
    async run({ session, refuses }) {
      for (const id of hostileIds) {
        const hostile = ephemeralScope(id);
        const address = valueAddress<number>(hostile, "n");
        await refuses("invalid_argument", () => session.commit(hostile, (transaction) => transaction.set(address, 1)));
        await refuses("invalid_argument", () => session.readValue(address));
        await refuses("invalid_argument", () => session.listKeys(hostile));
        await refuses("invalid_argument", () =>
          session.commit(sessionScope, (transaction) => transaction.retireScope(hostile)),
        );
      }
    },
  },
];

export const hostileIds = ["", ".", "..", "../s1", "a/b", "a\\b", "A", "a.b", "a b", "ä", "a\0", "a\n", "x".repeat(65)];

async function addStep(session: SessionStorage, step: string): Promise<void> {
  await session.commit(scope, (transaction) => {
    transaction.append(steps, step);
    transaction.set(count, 1);
  });
}

async function retire(session: SessionStorage): Promise<void> {
  await session.commit(sessionScope, (transaction) => transaction.retireScope(scope));
}

async function readSteps(session: SessionStorage): Promise<string[]> {
  return (await session.readList(steps)).elements.map(({ value }) => value);
}
