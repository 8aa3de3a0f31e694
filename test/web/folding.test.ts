import { expect, test } from "vitest";
import { createChatFacet, createFacetHost } from "../../src/facet/index.js";
import type { ChatRow, ChatState, Facet } from "../../src/facet/index.js";
import { seededRandom, seedsOf } from "../../src/lane/fixtures/random.js";
import { randomStep, SimulatedLane } from "../../src/lane/fixtures/simulated-lane.js";
import { emptyLaneView, reduceLaneSnapshot } from "../../src/lane/index.js";
import { createConsumer } from "../../src/wire/client/index.js";
import type { Change } from "../../src/wire/client/index.js";
import { createFrameMeter } from "../../web/batches/frame-meter.js";
import { createBatchHistory, describeVerbs, MAX_LISTED, MAX_POINTS } from "../../web/batches/history.js";
import { displayText } from "../../web/format/display-text.js";
import { readFragment } from "../../web/host/token.js";
import { entryRow } from "../../web/lane/entry-row.js";
import { describeTotals } from "../../web/rows/totals.js";
import { createOlderRows } from "../../web/lane/older-rows.js";
import { createRowChanges } from "../../web/lane/row-changes.js";
import { createStateSize } from "../../web/lane/state-size.js";

const seeds = seedsOf(process.env["CI"] === "true" ? 100 : 8);

/** Plays a lane at random, and hands each change of a consumer's value to `onChange`. */
function playRandomly(
  seed: number,
  facet: Facet<ChatState>,
  onChange: (change: Change<ChatState>) => void,
): SimulatedLane {
  const random = seededRandom(seed);
  const lane = new SimulatedLane();
  const view = emptyLaneView();
  const host = createFacetHost(facet, () => structuredClone(view));
  const consumer = createConsumer<ChatState>();
  consumer.onChange(onChange);
  const subscription = host.subscribe({ receive: ({ json }) => consumer.receive(JSON.parse(json)), end: () => {} });
  for (let step = 0; step < 200; step += 1) {
    const group = [...randomStep(lane, random), ...(random() < 0.3 ? randomStep(lane, random) : [])];
    for (const event of group) reduceLaneSnapshot(view, event);
    host.deliver(group);
    if (random() < 0.02) subscription.resync();
  }
  return lane;
}

test.each(seeds)(
  "[C1] rows that are not named as touched are what they were, and texts move as they say (seed %i)",
  (seed) => {
    const changes = createRowChanges();
    let drawn = new Map<ChatRow, { readonly version: number; readonly json: string }>();
    const texts = new Map<object, { readonly track: object; readonly dropped: number; readonly text: string }>();
    let kept = 0;
    playRandomly(seed, createChatFacet({ maxRows: 6 }), ({ value, batch }) => {
      changes.note(value, batch);
      const next: typeof drawn = new Map();
      for (const row of value.rows) {
        const [version, json, before] = [changes.versionOf(row), JSON.stringify(row), drawn.get(row)];
        const isKept = before?.version === version;
        expect(isKept ? json : undefined).toBe(isKept ? before.json : undefined);
        kept += isKept ? 1 : 0;
        next.set(row, { version, json });
      }
      drawn = next;
      for (const holder of textHolders(value)) {
        const track = changes.trackOf(holder);
        const before = texts.get(holder);
        const stays = before?.track === track ? before.text.slice(track.dropped - before.dropped) : "";
        expect(holder.text.startsWith(stays)).toBe(true);
        texts.set(holder, { track, dropped: track.dropped, text: holder.text });
      }
    });
    expect(kept).toBeGreaterThan(100);
  },
);

test.each(seeds)("[C1] what a snapshot would have been is measured to the byte (seed %i)", (seed) => {
  const changes = createRowChanges();
  const encoder = new TextEncoder();
  const size = createStateSize({ encode: (text) => encoder.encode(text), trackOf: changes.trackOf });
  playRandomly(seed, createChatFacet({ maxRows: 6 }), ({ value, batch }) => {
    expect(size.measure(value, changes.note(value, batch))).toBe(Buffer.byteLength(JSON.stringify(value)));
  });
});

test.each(seeds)(
  "[F3] rows that the host lets go stay without a hole, and are those of their entries (seed %i)",
  (seed) => {
    const older = createOlderRows();
    let rows: readonly ChatRow[] = [];
    let last: ChatState | undefined;
    const lane = playRandomly(seed, createChatFacet({ maxRows: 6 }), ({ value }) => {
      older.follow(structuredClone(rows), value);
      rows = [...value.rows];
      last = value;
      const positions = older.rows.map(({ position }) => position);
      expect(positions).toEqual(positions.map((_, index) => older.before(value) + index));
      expect(older.before(value) + older.rows.length).toBe(value.earlier);
    });

    const shown = older.rows.map(({ entryId }) => entryId);
    expect(shown).toEqual(
      lane.entries
        .slice(older.before(last ?? { earlier: 0, rows: [], operation: null }))
        .slice(0, shown.length)
        .map(({ id }) => id),
    );
  },
);

test("[F1] an entry of the transcript is the row that the chat would show", () => {
  const lane = new SimulatedLane();
  const random = seededRandom(7);
  const view = emptyLaneView();
  for (let step = 0; step < 300; step += 1) {
    for (const event of randomStep(lane, random)) reduceLaneSnapshot(view, event);
  }
  const { rows } = createChatFacet({ maxRows: 1_000 }).initial({ transcript: view.transcript, operation: null });

  const own = view.transcript.map((entry, position) => entryRow(entry, position));

  expect(own.length).toBeGreaterThan(30);
  expect(own.map(withoutHidden)).toEqual(rows.map(withoutHidden));
});

test("[C1] however a stream is cut into pieces, each event's bytes are known when it is read", async () => {
  const events = ["event: open\ndata: {}\n\n", `id: 1\ndata: ${"日本".repeat(40)}\n\n`, "id: 2\ndata: x\n\n"].map(
    (text) => Buffer.from(text),
  );
  for (const pieceBytes of [1, 2, 3, 7, 50, 10_000]) {
    const meter = createFrameMeter();
    const ended: number[] = [];
    let text = "";
    for await (const piece of meter.measure(cut(Buffer.concat(events), pieceBytes))) {
      text += Buffer.from(piece).toString("latin1");
      if (text.endsWith("\n\n")) ended.push(meter.frameBytes);
    }
    expect(text).toBe(Buffer.concat(events).toString("latin1"));
    expect(ended).toEqual(events.map(({ length }) => length));
  }
});

test("[C1] the history of batches is bounded, and its sums are exact", () => {
  const history = createBatchHistory();
  for (let index = 1; index <= 50_000; index += 1) {
    history.add({ seq: index, ops: index === 1 ? [["r", {}]] : [["a", ["x"], "y"]], bytes: 10, snapshotBytes: 1_000 });
  }

  expect(history.listed).toHaveLength(MAX_LISTED);
  expect(history.listed[0]).toMatchObject({ seq: 50_000, verbs: "a", isBase: false, bytes: 10 });
  expect(history.points.length).toBeLessThanOrEqual(MAX_POINTS);
  expect(history.points.at(-1)).toEqual({ batches: 50_000, bytes: 500_000, snapshotBytes: 50_000_000 });
  expect(history.points.filter(({ batches, bytes }) => bytes !== batches * 10)).toEqual([]);
  expect(
    describeVerbs([
      ["t", ["a"], 1],
      ["a", ["a"], "x"],
      ["s", ["b"], 1],
      ["s", ["c"], 2],
    ]),
  ).toBe("t a s×2");
});

test("[W3] text is shown code unit for code unit, with a sign for what would not be seen", () => {
  const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join("");

  const shown = displayText(all);

  expect(shown).toHaveLength(all.length);
  expect(shown.replace(/[\t\n]/g, "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(displayText("a\tb\nc 日本 🦊 שלום")).toBe("a\tb\nc 日本 🦊 שלום");
});

test.each([
  ["#token=abc", { token: "abc", session: undefined }],
  ["#token=a%2Bb&session=s_1", { token: "a+b", session: "s_1" }],
  ["#/s_1", { token: undefined, session: "s_1" }],
  ["#/", { token: undefined, session: undefined }],
  ["", { token: undefined, session: undefined }],
])("[W3] the fragment %s is read", (hash, fragment) => {
  expect(readFragment(hash)).toEqual(fragment);
});

function textHolders(state: ChatState): { readonly text: string }[] {
  return state.rows.flatMap((row) => {
    if (row.type === "user" || row.type === "summary") return [];
    const content: readonly object[] = (row.type === "tool" ? row.output : row.message)?.content ?? [];
    return content.filter((part): part is { readonly text: string } => "text" in part);
  });
}

/** The page shows neither a call's input within the answer nor the bytes of images. */
function withoutHidden(row: ChatRow): unknown {
  return JSON.parse(
    JSON.stringify(row, (key, value: unknown) => (["input", "args", "data"].includes(key) ? undefined : value)),
  );
}

async function* cut(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

test("[F1] of an output that was cut the totals say how much is shown, and not which part: that is what was to be kept", () => {
  const truncation = {
    truncated: true,
    truncatedBy: "lines",
    totalLines: 9_000,
    totalBytes: 48_894,
    maxLines: 2_000,
    maxBytes: 51_200,
  } as const;
  const content = [{ type: "text", text: "1\n2\n" } as const, { type: "text", text: "9000\n" } as const];

  expect(describeTotals({ content, details: {}, terminate: false, truncation })).toBe(
    "9,000 lines · 48.9 kB · at most 2,000 lines shown",
  );
});
