import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { appendText, track } from "./index.js";

/** Large enough that what else the process does is small beside it. */
const ITEMS = 8_000;

interface Item {
  id: number;
  text: string;
  marks: number[];
}

test("[D7] tracking holds the state and what changed since the last flush", async () => {
  const before = await heldBytes();
  const plain = makeState();
  const stateBytes = (await heldBytes()) - before;
  const tracker = track(makeState());
  const begin = await heldBytes();

  tracker.flush();
  expect((await heldBytes()) - begin).toBeLessThan(stateBytes / 10);

  for (let index = 0; index < ITEMS; index += 200) itemAt(tracker.state, index).id = -1;
  expect((await heldBytes()) - begin).toBeLessThan(stateBytes / 10);
  expect(tracker.flush()).toHaveLength(ITEMS / 200);
  expect(plain.items).toHaveLength(ITEMS);
});

test("[D5] [D7] a container that nobody holds is let go once its change was told, and not before", async () => {
  const tracker = track(makeState());
  tracker.flush();
  const held = itemAt(tracker.state, 0);
  const seen = tracker.state.items.slice(1, 50).map((item) => new WeakRef(item));
  const changed = tracker.state.items.slice(50, 100).map((item) => new WeakRef(Object.assign(item, { id: -1 })));
  itemAt(tracker.state, 100);

  await heldBytes();
  expect(seen.filter((item) => item.deref() !== undefined)).toEqual([]);
  expect(changed.filter((item) => item.deref() === undefined)).toEqual([]);
  expect(tracker.flush()).toHaveLength(50);
  await heldBytes();
  expect(changed.filter((item) => item.deref() !== undefined)).toEqual([]);

  expect(itemAt(tracker.state, 0)).toBe(held);
  held.id = -2;
  itemAt(tracker.state, 60).marks.push(1);
  expect(tracker.flush()).toEqual([
    ["s", ["items", 0, "id"], -2],
    ["p", ["items", 60, "marks"], 0, 0, [1]],
  ]);
});

test("[D7] [D14] however often a text was written since the last flush, what is held is what is to be told", async () => {
  const tracker = track({ text: "", count: 0 });
  tracker.flush();
  const before = await heldBytes();

  for (let count = 0; count < 200_000; count += 1) tracker.state.count = count;
  expect((await heldBytes()) - before).toBeLessThan(200_000);
  for (let count = 0; count < 1_000; count += 1) appendText(tracker.state, "text", "0123456789".repeat(100));
  for (let count = 0; count < 1_000; count += 1) tracker.flush();

  // The text itself, and the pieces that it was joined of until it is read.
  expect((await heldBytes()) - before).toBeLessThan(4_000_000);
  expect(tracker.state.text).toHaveLength(1_000_000);
});

function makeState(): { items: Item[] } {
  return { items: Array.from({ length: ITEMS }, (_, id) => ({ id, text: makeText(id), marks: [] })) };
}

/** Text in one piece of memory, as it comes from a process. */
function makeText(id: number): string {
  return Buffer.alloc(100, `${id} `).toString("latin1");
}

function itemAt({ items }: { items: Item[] }, index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`no item ${index}`);
  return item;
}

/** What is held once this turn of the event loop is over: until then, engines keep whatever was looked at. */
async function heldBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let times = 0; times < 2; times += 1) {
    await new Promise(setImmediate);
    collect();
  }
  return process.memoryUsage().heapUsed;
}
