import { expect, test } from "vitest";
import { countOf } from "./fixtures/counts.js";
import { forEachSeed } from "./fixtures/random.js";
import { appendText, apply, decoder, encoder, track } from "./index.js";
import type { Json } from "./index.js";

const SUBSCRIBERS = 1_000;
const BATCHES = 24;

test("[D9] one encoding and one text of each batch serve 1,000 subscribers, who join and leave at random", () => {
  let joins = 0;
  let named = 0;
  forEachSeed(countOf({ here: 1, inCi: 10 }), (random) => {
    const tracker = track<{ log: { text: string }; tools: { [id: string]: Json } }>({ log: { text: "" }, tools: {} });
    const shared = encoder();
    let subscribers = Array.from({ length: SUBSCRIBERS }, () => new Subscriber());
    for (let batch = 0; batch < BATCHES; batch += 1) {
      appendText(tracker.state.log, "text", `${batch} ${random.text(40)}`);
      tracker.state.tools[`call-${random.int(3)}`] = { text: random.text(10) };
      const text = JSON.stringify(shared.encode(tracker.flush()));
      for (const one of subscribers) one.receive(text);
      if (/^\[\["a",\d/.test(text)) named += 1;
      if (!random.oneIn(3)) continue;

      subscribers = subscribers.filter(() => !random.oneIn(20));
      const base = JSON.stringify([["r", tracker.snapshot()]]);
      for (; subscribers.length < SUBSCRIBERS; joins += 1) subscribers.push(new Subscriber(base));
      shared.forget();
    }

    expect(new Set(subscribers.map(({ value }) => JSON.stringify(value))).size).toBe(1);
    expect(subscribers[0]?.value).toEqual(tracker.snapshot());
  });

  expect(Math.min(joins, named)).toBeGreaterThan(0);
});

class Subscriber {
  value: Json | undefined;
  readonly #decoder = decoder();

  /** One that joins late begins with a base of its own. */
  constructor(base?: string) {
    if (base !== undefined) this.receive(base);
  }

  receive(text: string): void {
    this.value = apply(this.value, this.#decoder.decode(JSON.parse(text)));
  }
}
