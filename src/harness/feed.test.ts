import { expect, test } from "vitest";
import { emptyLaneView, reduceLaneSnapshot } from "../lane/index.js";
import type { LaneView } from "../lane/index.js";
import type { HarnessEvent } from "../protocol/index.js";
import type { LaneSubscriber } from "./contract.js";
import { LaneFeed } from "./feed.js";

const user = (id: string): HarnessEvent => ({
  type: "entry_added",
  entry: { type: "user", id, operationId: "op_1", at: 0, text: id },
});

/** A subscriber that folds what it gets as a viewer does. */
function fold(
  onGroup: () => void = () => undefined,
): LaneSubscriber & { view: LaneView; groups: number[]; ended: boolean } {
  return {
    view: emptyLaneView(),
    groups: [],
    ended: false,
    open(view) {
      this.view = view;
    },
    receive(group) {
      this.groups.push(group.length);
      for (const event of group) reduceLaneSnapshot(this.view, event);
      onGroup();
    },
    end() {
      this.ended = true;
    },
  };
}

const idsOf = (view: LaneView): string[] => view.transcript.map(({ id }) => id);

test("[E3] a subscriber gets the view and then every later group", () => {
  const feed = new LaneFeed(emptyLaneView());
  feed.emit(user("a"));
  const late = fold();

  feed.subscribe(late);
  feed.emit(user("b"), user("c"));

  expect(idsOf(late.view)).toEqual(["a", "b", "c"]);
  expect(late.groups).toEqual([2]);
});

test("[E3] one that joins from within a delivery misses nothing and gets nothing twice", () => {
  const feed = new LaneFeed(emptyLaneView());
  const late = fold();
  let joined = false;
  const first = fold(() => {
    if (joined) return;
    joined = true;
    feed.emit(user("b"));
    feed.subscribe(late);
    feed.emit(user("c"));
  });
  feed.subscribe(first);

  feed.emit(user("a"));

  expect(idsOf(first.view)).toEqual(["a", "b", "c"]);
  expect(idsOf(late.view)).toEqual(["a", "b", "c"]);
  expect(late.groups).toEqual([1, 1]);
});

test("[E3] what is emitted together is one group", () => {
  const feed = new LaneFeed(emptyLaneView());
  const subscriber = fold();
  feed.subscribe(subscriber);

  feed.together(() => {
    feed.emit(user("a"));
    feed.together(() => feed.emit(user("b")));
  });

  expect(subscriber.groups).toEqual([2]);
});

test("[E3] a subscriber's view is its own", () => {
  const feed = new LaneFeed(emptyLaneView());
  const subscriber = fold();
  feed.subscribe(subscriber);

  subscriber.view.transcript.length = 0;
  feed.emit(user("a"));
  subscriber.view.operation = { id: "op_2", tools: [] };

  expect(idsOf(feed.view)).toEqual(["a"]);
  expect(feed.view.operation).toBeNull();
});

test("[E3] a subscriber that throws gets nothing more, and the others all", () => {
  const feed = new LaneFeed(emptyLaneView());
  const broken = fold(() => {
    throw new Error("broken");
  });
  const sound = fold();
  feed.subscribe(broken);
  feed.subscribe(sound);

  feed.emit(user("a"));
  feed.emit(user("b"));
  feed.end();

  expect(broken.groups).toEqual([1]);
  expect(broken.ended).toBe(false);
  expect(idsOf(sound.view)).toEqual(["a", "b"]);
  expect(sound.ended).toBe(true);
});

test("[E3] nothing comes after leaving", () => {
  const feed = new LaneFeed(emptyLaneView());
  const subscriber = fold();
  const leave = feed.subscribe(subscriber);

  leave();
  feed.emit(user("a"));
  feed.end();

  expect(subscriber.groups).toEqual([]);
  expect(subscriber.ended).toBe(false);
});
