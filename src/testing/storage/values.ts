import { sessionScope, valueAddress } from "../../storage/index.js";
import type { StorageCase } from "./stage.js";

const anything = valueAddress<unknown>(sessionScope, "some/key:1.a-b_c");

const lawful: readonly unknown[] = [
  null,
  false,
  "",
  0,
  -1.5e300,
  [],
  {},
  [[[]], { a: [null] }],
  { ["__proto__"]: { x: 1 }, constructor: "data", "": 1 },
  "line\u2028paragraph\u2029next\u0085\v\f\u001c\r\n\0 ends",
  "é 漢 🦊 \ud800 alone",
];

const unlawful: readonly (readonly [name: string, value: unknown, path: string])[] = [
  ["undefined", undefined, "it"],
  ["a function", { a: [() => 1] }, "/a/0"],
  ["a symbol", { a: Symbol("s") }, "/a"],
  ["a BigInt", [1n], "/0"],
  ["NaN", { a: { b: NaN } }, "/a/b"],
  ["infinity", -Infinity, "it"],
  ["an instance", { a: new Date(0) }, "/a"],
  ["a map", new Map(), "it"],
  ["a hole", [1, Array.from({ length: 2 })], "/1/0"],
  ["a cycle", makeCycle(), "/in/side"],
];

export const valueCases: readonly StorageCase[] = [
  {
    title: "[S4] every JSON value comes back equal, also after reopening",
    async run({ session, assert, reopen }) {
      for (const [index, value] of lawful.entries()) {
        await session.commit(sessionScope, (transaction) =>
          transaction.set(valueAddress<unknown>(sessionScope, `v${index}`), value),
        );
      }
      const next = await reopen();
      for (const [index, value] of lawful.entries()) {
        assert.deepEqual(await next.readValue(valueAddress<unknown>(sessionScope, `v${index}`)), value);
      }
    },
  },
  {
    title: "[S4] a value is what was written, whatever becomes of the object",
    async run({ session, assert }) {
      const original = { list: [1] };
      await session.commit(sessionScope, (transaction) => transaction.set(anything, original));
      original.list.push(2);
      const first = await session.readValue(anything);
      if (typeof first === "object" && first !== null) Object.assign(first, { list: [] });
      assert.deepEqual(await session.readValue(anything), { list: [1] });
    },
  },
  {
    title: "[S4] a value is set again, deleted, and set once more",
    async run({ session, assert, reopen }) {
      const set = (value: unknown): Promise<unknown> =>
        session.commit(sessionScope, (transaction) => transaction.set(anything, value));
      await set(1);
      await set(2);
      assert.equal(await session.readValue(anything), 2);
      await session.commit(sessionScope, (transaction) => transaction.delete(anything));
      assert.equal(await session.readValue(anything), undefined);
      assert.deepEqual(await session.listKeys(sessionScope), []);
      await set(3);
      assert.equal(await (await reopen()).readValue(anything), 3);
    },
  },
  {
    title: "[S4] a value of 20 MB is one value",
    async run({ session, assert, reopen }) {
      const text = "0123456789 🦊 äöü\n".repeat(1_000_000);
      await session.commit(sessionScope, (transaction) => transaction.set(anything, { text }));
      const read = await (await reopen()).readValue(anything);
      assert.equal(JSON.stringify(read) === JSON.stringify({ text }), true);
    },
  },
  ...unlawful.map(([name, value, path]): StorageCase => ({
    title: `[S4] ${name} is refused with its path`,
    async run({ session, assert, refuses }) {
      let message = "";
      await refuses("invalid_argument", () =>
        session
          .commit(sessionScope, (transaction) => transaction.set(anything, value))
          .catch((error: unknown) => {
            message = String(error);
            throw error;
          }),
      );
      assert.equal(message.includes(` ${path} `), true, message);
      assert.equal(await session.readValue(anything), undefined);
    },
  })),
  ...["", "a b", "ä", "../x?", "a\n", "x".repeat(257)].map((key): StorageCase => ({
    title: `[S4] the key ${JSON.stringify(key.slice(0, 12))} is refused`,
    async run({ session, refuses }) {
      const address = valueAddress<number>(sessionScope, key);
      await refuses("invalid_argument", () => session.readValue(address));
      await refuses("invalid_argument", () =>
        session.commit(sessionScope, (transaction) => transaction.set(address, 1)),
      );
    },
  })),
];

function makeCycle(): unknown {
  const inner: Record<string, unknown> = {};
  inner["side"] = inner;
  return { in: inner };
}
