import { ephemeralScope, listAddress, sessionScope, valueAddress } from "../../storage/index.js";
import type { StorageCase } from "./stage.js";

const title = valueAddress<string>(sessionScope, "title");
const entries = listAddress<number>(sessionScope, "entries");
const scope = ephemeralScope("op_a");
const step = valueAddress<number>(scope, "step");

export const forkCases: readonly StorageCase[] = [
  {
    title: "[S11] a fork has the history up to a commit: elements with their sequences, values as they were",
    async run({ storage, session, assert }) {
      const sequences: (number | undefined)[] = [];
      for (const value of [1, 2, 3]) {
        const { sequence } = await session.commit(sessionScope, (transaction) => {
          transaction.append(entries, value, value === 2 ? { tag: "two" } : {});
          transaction.set(title, `after ${value}`);
        });
        sequences.push(sequence);
      }
      const fork = await session.fork("s2", { upTo: sequences[1] });
      const { elements } = await fork.readList(entries);
      assert.deepEqual(elements, [
        { value: 1, sequence: sequences[0] },
        { value: 2, sequence: sequences[1], tag: "two" },
      ]);
      assert.equal(await fork.readValue(title), "after 2");
      await fork.close();
      const reopened = await storage.open("s2");
      assert.deepEqual((await reopened.readList(entries)).elements, elements);
      await reopened.close();
    },
  },
  {
    title: "[S11] a fork goes its own way, with later sequences than all it holds",
    async run({ session, assert }) {
      const last = await session.commit(sessionScope, (transaction) => transaction.append(entries, 1));
      const fork = await session.fork("s2");
      const forked = await fork.commit(sessionScope, (transaction) => transaction.append(entries, 2));
      await session.commit(sessionScope, (transaction) => transaction.set(title, "original"));
      assert.equal(Number(forked.sequence) > Number(last.sequence), true);
      assert.deepEqual((await session.readList(entries)).elements.length, 1);
      assert.equal(await fork.readValue(title), undefined);
      await fork.close();
    },
  },
  {
    title: "[S11] a fork of a fork still has values as they were",
    async run({ session, assert }) {
      const first = await session.commit(sessionScope, (transaction) => transaction.set(title, "first"));
      await session.commit(sessionScope, (transaction) => transaction.set(title, "second"));
      const fork = await session.fork("s2");
      const again = await fork.fork("s3", { upTo: first.sequence });
      assert.equal(await again.readValue(title), "first");
      await fork.close();
      await again.close();
    },
  },
  {
    title: "[S11] a fork has nothing ephemeral",
    async run({ session, assert }) {
      await session.commit(scope, (transaction) => transaction.set(step, 1));
      const fork = await session.fork("s2");
      assert.deepEqual(await fork.liveScopes(), []);
      assert.equal(await fork.readValue(step), undefined);
      assert.equal(await session.readValue(step), 1);
      await fork.close();
    },
  },
  {
    title: "[S11] a retirement of the original does not end a scope of the fork",
    async run({ storage, session, assert }) {
      await session.commit(scope, (transaction) => transaction.set(step, 1));
      await session.commit(sessionScope, (transaction) => transaction.retireScope(scope));
      const fork = await session.fork("s2");
      await fork.commit(scope, (transaction) => transaction.set(step, 2));
      await fork.close();
      const reopened = await storage.open("s2");
      assert.equal(await reopened.readValue(step), 2);
      await reopened.close();
    },
  },
  {
    title: "[S11] a fork takes no id that is in use",
    async run({ session, assert, refuses }) {
      await session.commit(sessionScope, (transaction) => transaction.set(title, "mine"));
      await refuses("session_exists", () => session.fork("s1"));
      assert.equal(await session.readValue(title), "mine");
    },
  },
];
