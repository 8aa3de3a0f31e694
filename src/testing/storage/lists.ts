import { ephemeralScope, listAddress, sessionScope } from "../../storage/index.js";
import type { ListPage, ReadListOptions, SessionStorage } from "../../storage/index.js";
import type { StorageCase } from "./stage.js";

const list = listAddress<number>(sessionScope, "list");

export const listCases: readonly StorageCase[] = [
  {
    title: "[S4] a list is read in both directions, page by page",
    async run({ session, assert }) {
      await appendEach(session, [1, 2, 3, 4, 5]);
      assert.deepEqual(await readPages(session, { limit: 2 }), [[1, 2], [3, 4], [5]]);
      assert.deepEqual(await readPages(session, { limit: 2, order: "desc" }), [[5, 4], [3, 2], [1]]);
      assert.deepEqual(await readPages(session, { limit: 5 }), [[1, 2, 3, 4, 5]]);
    },
  },
  {
    title: "[S4] a cursor stays good while the list is appended to, and after reopening",
    async run({ session, assert, reopen }) {
      await session.commit(sessionScope, (transaction) => {
        for (const value of [1, 2, 3]) transaction.append(list, value);
      });
      const older = await session.readList(list, { order: "desc", limit: 2 });
      const newer = await session.readList(list, { limit: 1 });
      await appendEach(session, [4]);
      const next = await reopen();
      assert.deepEqual(valuesOf(await next.readList(list, { order: "desc", cursor: older.next })), [1]);
      assert.deepEqual(valuesOf(await next.readList(list, { cursor: newer.next })), [2, 3, 4]);
    },
  },
  {
    title: "[S4] reading stops with the first element that bears the tag, within a page",
    async run({ session, assert }) {
      await appendEach(session, [1], { tag: "base" });
      await appendEach(session, [2, 3]);
      await appendEach(session, [4], { tag: "base" });
      await appendEach(session, [5, 6]);
      const page = await session.readList(list, { order: "desc", stopAtTag: "base" });
      assert.deepEqual(valuesOf(page), [6, 5, 4]);
      assert.equal(page.next, undefined);
      assert.deepEqual(
        page.elements.map(({ tag }) => tag),
        [undefined, undefined, "base"],
      );
      assert.deepEqual(await readPages(session, { order: "desc", limit: 2, stopAtTag: "base" }), [[6, 5], [4]]);
      assert.deepEqual(await readPages(session, { stopAtTag: "other", limit: 4 }), [
        [1, 2, 3, 4],
        [5, 6],
      ]);
    },
  },
  {
    title: "[S4] what an element supersedes is dead at once and for ever, with its tags",
    async run({ session, assert, reopen }) {
      await appendEach(session, [1], { tag: "base" });
      await appendEach(session, [2]);
      await appendEach(session, [3], { supersedes: true });
      await appendEach(session, [4]);
      assert.deepEqual(await readPages(session, {}), [[3, 4]]);
      const next = await reopen();
      assert.deepEqual(await readPages(next, { order: "desc", stopAtTag: "base" }), [[4, 3]]);
    },
  },
  {
    title: "[S4] superseding within one commit holds in the order of its statements",
    async run({ session, assert, reopen }) {
      await appendEach(session, [1]);
      await session.commit(sessionScope, (transaction) => {
        transaction.append(list, 2);
        transaction.append(list, 3, { tag: "base", supersedes: true });
        transaction.append(list, 4);
      });
      assert.deepEqual(await readPages(session, {}), [[3, 4]]);
      assert.deepEqual(await readPages(await reopen(), { order: "desc", stopAtTag: "base" }), [[4, 3]]);
    },
  },
  {
    title: "[S4] after a clear a cursor goes on with what lives, or is at its end",
    async run({ session, assert, reopen }) {
      await appendEach(session, [1, 2, 3]);
      const ascending = await session.readList(list, { limit: 1 });
      const descending = await session.readList(list, { limit: 1, order: "desc" });
      await session.commit(sessionScope, (transaction) => transaction.clear(list));
      assert.deepEqual(await session.readList(list), { elements: [] });
      assert.deepEqual(await session.listKeys(sessionScope), []);
      await appendEach(session, [4]);
      const next = await reopen();
      assert.deepEqual(valuesOf(await next.readList(list, { cursor: ascending.next })), [4]);
      assert.deepEqual(valuesOf(await next.readList(list, { cursor: descending.next, order: "desc" })), []);
    },
  },
  {
    title: "[S4] 25,000 elements are read page by page",
    async run({ session, assert }) {
      const values = Array.from({ length: 25_000 }, (_, index) => index);
      await session.commit(sessionScope, (transaction) => {
        for (const value of values) transaction.append(list, value);
      });
      const pages = await readPages(session, { limit: 10_000 });
      assert.deepEqual(
        pages.map(({ length }) => length),
        [10_000, 10_000, 5_000],
      );
      assert.deepEqual(pages.flat(), values);
    },
  },
  {
    title: "[S4] a list and a scope that never were are empty",
    async run({ session, assert }) {
      assert.deepEqual(await session.readList(list), { elements: [] });
      assert.deepEqual(await session.readList(listAddress<number>(ephemeralScope("op_a"), "list")), { elements: [] });
    },
  },
  {
    title: "[S4] bad limits, tags and cursors are refused",
    async run({ session, refuses }) {
      await appendEach(session, [1, 2]);
      const { next } = await session.readList(list, { limit: 1 });
      const bad: ReadListOptions[] = [
        { limit: 0 },
        { limit: 1.5 },
        { limit: NaN },
        { limit: 10_001 },
        { stopAtTag: "" },
        { stopAtTag: "Base" },
        { cursor: "" },
        { cursor: "nowhere" },
        { cursor: next, order: "desc" },
      ];
      for (const options of bad) await refuses("invalid_argument", () => session.readList(list, options));
      await refuses("invalid_argument", () => appendEach(session, [3], { tag: "a tag" }));
    },
  },
];

async function appendEach(
  session: SessionStorage,
  values: readonly number[],
  options: { readonly tag?: string; readonly supersedes?: boolean } = {},
): Promise<void> {
  for (const value of values) {
    await session.commit(sessionScope, (transaction) => transaction.append(list, value, options));
  }
}

async function readPages(session: SessionStorage, options: ReadListOptions): Promise<number[][]> {
  const pages: number[][] = [];
  let cursor: string | undefined;
  do {
    const page = await session.readList(list, { ...options, cursor });
    pages.push(valuesOf(page));
    cursor = page.next;
  } while (cursor !== undefined);
  return pages;
}

function valuesOf(page: ListPage<number>): number[] {
  return page.elements.map(({ value }) => value);
}
