import { ephemeralScope, listAddress, sessionScope, valueAddress } from "../../storage/index.js";
import type { SessionTransaction } from "../../storage/index.js";
import type { StorageCase } from "./stage.js";

const title = valueAddress<string>(sessionScope, "title");
const notes = listAddress<number>(sessionScope, "notes");

export const commitCases: readonly StorageCase[] = [
  {
    title: "[S1] a commit runs its build at once and only once, and gives its value",
    async run({ session, assert }) {
      let runs = 0;
      const commit = session.commit(sessionScope, (transaction) => {
        transaction.set(title, "one");
        runs += 1;
        return "built";
      });
      assert.equal(runs, 1);
      assert.equal((await commit).value, "built");
      assert.equal(runs, 1);
      assert.equal(await session.readValue(title), "one");
    },
  },
  {
    title: "[S1] commits keep the order of their calls, also unawaited ones",
    async run({ session, assert }) {
      const order: number[] = [];
      const commits = Array.from({ length: 50 }, (_, index) =>
        session.commit(sessionScope, (transaction) => {
          order.push(index);
          transaction.append(notes, index);
        }),
      );
      await Promise.all(commits);
      const { elements } = await session.readList(notes);
      assert.deepEqual(
        order,
        [...order].sort((a, b) => a - b),
      );
      assert.deepEqual(
        elements.map(({ value }) => value),
        order,
      );
    },
  },
  {
    title: "[S1] a build that throws leaves nothing",
    async run({ session, assert }) {
      const fault = new Error("halfway");
      const commit = session.commit(sessionScope, (transaction) => {
        transaction.set(title, "lost");
        throw fault;
      });
      assert.equal(await commit.catch((error: unknown) => error), fault);
      assert.equal(await session.readValue(title), undefined);
    },
  },
  {
    title: "[S1] a build that states nothing has no sequence",
    async run({ session, assert }) {
      assert.deepEqual(await session.commit(sessionScope, () => 7), { sequence: undefined, value: 7 });
    },
  },
  {
    title: "[S1] a build that gives a promise is refused and leaves nothing",
    async run({ session, assert, refuses }) {
      const build = async (transaction: SessionTransaction): Promise<void> => transaction.set(title, "late");
      await refuses("invalid_argument", () => session.commit(sessionScope, build));
      assert.equal(await session.readValue(title), undefined);
    },
  },
  {
    title: "[S1] two ephemeral scopes in one commit are refused, with all of the commit",
    async run({ session, assert, refuses }) {
      const mine = valueAddress<number>(ephemeralScope("op_a"), "n");
      const other = valueAddress<number>(ephemeralScope("op_b"), "n");
      await refuses("mixed_scopes", () =>
        session.commit(ephemeralScope("op_a"), (transaction) => {
          transaction.set(mine, 1);
          transaction.set(other, 2);
        }),
      );
      assert.equal(await session.readValue(mine), undefined);
      assert.deepEqual(await session.liveScopes(), []);
    },
  },
  {
    title: "[S1] a transaction is of no use after its build",
    async run({ session, assert, refuses }) {
      const { value: kept } = await session.commit(sessionScope, (transaction) => ({ transaction }));
      await refuses("invalid_argument", async () => kept.transaction.set(title, "late"));
      assert.equal(await session.readValue(title), undefined);
    },
  },
  {
    title: "[S2] sequences rise strictly over all scopes, openings and refused commits",
    async run({ session, assert, reopen }) {
      const seen: (number | undefined)[] = [];
      const note = async (target = session): Promise<void> => {
        seen.push((await target.commit(sessionScope, (transaction) => transaction.append(notes, 1))).sequence);
        const scope = ephemeralScope("op_a");
        const steps = listAddress<number>(scope, "steps");
        seen.push((await target.commit(scope, (transaction) => transaction.append(steps, 1))).sequence);
      };
      await note();
      await note();
      await session.commit(sessionScope, () => Promise.resolve()).catch(() => undefined);
      const next = await reopen();
      await note(next);
      const read = (await next.readList(notes)).elements.map(({ sequence }) => sequence);
      assert.equal(new Set(seen).size, 6);
      assert.deepEqual(
        seen,
        [...seen].sort((a, b) => Number(a) - Number(b)),
      );
      assert.deepEqual(read, [seen[0], seen[2], seen[4]]);
    },
  },
];
