import { ephemeralScope, sessionScope, valueAddress } from "../../storage/index.js";
import { hostileIds } from "./scopes.js";
import type { StorageCase } from "./stage.js";

const title = valueAddress<string>(sessionScope, "title");

export const sessionCases: readonly StorageCase[] = [
  {
    title: "[S9] sessions are listed, and a session that is not there is unknown",
    async run({ storage, assert, refuses }) {
      const other = await storage.create("a-2_b");
      assert.deepEqual(await storage.list(), ["a-2_b", "s1"]);
      await refuses("session_unknown", () => storage.open("s2"));
      await refuses("session_unknown", () => storage.read("s2"));
      await refuses("session_unknown", () => storage.remove("s2"));
      await other.close();
    },
  },
  {
    title: "[S9] no session id leaves the folder",
    async run({ storage, session, refuses }) {
      for (const id of hostileIds) {
        await refuses("invalid_argument", () => storage.create(id));
        await refuses("invalid_argument", () => storage.open(id));
        await refuses("invalid_argument", () => storage.read(id));
        await refuses("invalid_argument", () => storage.remove(id));
        await refuses("invalid_argument", () => session.fork(id));
      }
    },
  },
  {
    title: "[S8] a session that is written has no second writer and is not removed",
    async run({ storage, assert, refuses }) {
      await refuses("session_exists", () => storage.create("s1"));
      await refuses("session_locked", () => storage.open("s1"));
      await refuses("session_locked", () => storage.remove("s1"));
      const message = await storage.open("s1").then(
        () => "it was opened",
        (error: unknown) => String(error),
      );
      assert.equal(message.includes(String(process.pid)), true, message);
    },
  },
  {
    title: "[S8] a session that was closed is opened by the next, and refuses the one before",
    async run({ session, assert, reopen, refuses }) {
      await session.commit(sessionScope, (transaction) => transaction.set(title, "kept"));
      const next = await reopen();
      assert.equal(await next.readValue(title), "kept");
      await session.close();
      await refuses("closed", () => session.readValue(title));
      await refuses("closed", () => session.commit(sessionScope, (transaction) => transaction.set(title, "late")));
      await refuses("closed", () => session.fork("s2"));
      await next.commit(sessionScope, (transaction) => transaction.set(title, "next"));
      assert.equal(await next.readValue(title), "next");
    },
  },
  {
    title: "[S2] a reader sees the writer's commits and states none of its own",
    async run({ storage, session, assert }) {
      const reader = await storage.read("s1");
      assert.equal(await reader.readValue(title), undefined);
      await session.commit(sessionScope, (transaction) => transaction.set(title, "one"));
      assert.equal(await reader.readValue(title), "one");
      assert.equal("commit" in reader, false);
      await reader.close();
      await session.commit(sessionScope, (transaction) => transaction.set(title, "two"));
      assert.equal(await session.readValue(title), "two");
    },
  },
  {
    title: "[S3] a reader sees scopes live, end, and live again",
    async run({ storage, session, assert }) {
      const scope = ephemeralScope("op_a");
      const step = valueAddress<number>(scope, "step");
      const reader = await storage.read("s1");
      await session.commit(scope, (transaction) => transaction.set(step, 1));
      assert.equal(await reader.readValue(step), 1);
      await session.commit(sessionScope, (transaction) => transaction.retireScope(scope));
      assert.equal(await reader.readValue(step), undefined);
      assert.deepEqual(await reader.liveScopes(), []);
      await session.commit(scope, (transaction) => transaction.set(step, 2));
      assert.equal(await reader.readValue(step), 2);
      await reader.close();
    },
  },
  {
    title: "[S8] a removed session is gone, and its id begins anew",
    async run({ storage, assert, refuses }) {
      const other = await storage.create("s2");
      await other.commit(sessionScope, (transaction) => transaction.set(title, "old"));
      const scope = ephemeralScope("op_a");
      await other.commit(scope, (transaction) => transaction.set(valueAddress<number>(scope, "n"), 1));
      await other.close();
      await storage.remove("s2");
      assert.deepEqual(await storage.list(), ["s1"]);
      await refuses("session_unknown", () => storage.open("s2"));
      const again = await storage.create("s2");
      assert.equal(await again.readValue(title), undefined);
      assert.deepEqual(await again.liveScopes(), []);
      await again.close();
    },
  },
  {
    title: "[S5] usage tells main log and sidecars apart, and the most that these held",
    async run({ session, assert }) {
      const scope = ephemeralScope("op_a");
      const text = valueAddress<string>(scope, "text");
      const before = await session.usage();
      await session.commit(scope, (transaction) => transaction.set(text, "x".repeat(5_000)));
      const during = await session.usage();
      await session.commit(sessionScope, (transaction) => transaction.retireScope(scope));
      const after = await session.usage();
      assert.equal(during.mainBytes, before.mainBytes);
      assert.equal(during.sidecarBytes >= 5_000, true);
      assert.equal(after.sidecarBytes, 0);
      assert.equal(after.sidecarPeakBytes, during.sidecarBytes);
    },
  },
];
