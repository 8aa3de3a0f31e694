import { expect, test } from "vitest";
import { seededRandom, seedsOf } from "../../lane/fixtures/random.js";
import { createSseParser } from "./index.js";
import type { ServerSentEvent } from "./index.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function parse(...pieces: (string | Uint8Array)[]): ServerSentEvent[] {
  const parser = createSseParser();
  return pieces.flatMap((piece) => parser.push(typeof piece === "string" ? bytes(piece) : piece));
}

test("[C1] events have their type and data, whatever fields, comments and spaces are around them", () => {
  const events = parse(
    ': a comment\n\nevent: open\ndata: {}\n\nid: 7\nretry: 9\ndata:{"a":1}\n\ndata: two\ndata:  lines\nnovel: x\n\nevent: bare\n\n',
  );

  expect(events).toEqual([
    { type: "open", data: "{}" },
    { type: "message", data: '{"a":1}' },
    { type: "message", data: "two\n lines" },
  ]);
});

test("[C1] a carriage return before the line's end is no part of it", () => {
  expect(parse("data: a\r\n\r\nevent: e\r\ndata: b\r\n\r\n")).toEqual([
    { type: "message", data: "a" },
    { type: "e", data: "b" },
  ]);
});

// O17 of the reports: readers that know more line ends than LF tear such records.
test("[C1] a line ends at the byte 0x0A and nowhere else", () => {
  const text = "a\u2028b\u2029c\u0085d\u000be\u000cf\u001cg";

  expect(parse(`data: ${text}\n\n`)).toEqual([{ type: "message", data: text }]);
});

test.each(seedsOf(1))("[C1] cuts at any byte, inside characters too, change nothing (seed %i)", (seed) => {
  const random = seededRandom(seed);
  const events = Array.from({ length: 60 }, (_, index) => ({ type: `t${index}`, data: `${index} 🦊é日本 "\\n` }));
  const stream = bytes(events.map(({ type, data }) => `event: ${type}\r\ndata: ${data}\n\n`).join(""));

  for (let round = 0; round < 200; round += 1) {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < stream.length;) {
      const length = 1 + Math.floor(random() ** 3 * 200);
      pieces.push(stream.subarray(at, at + length));
      at += length;
    }
    expect(parse(...pieces)).toEqual(events);
  }
});

test("[C1] a piece whose buffer is used again after the call was taken as it was", () => {
  const parser = createSseParser();
  const buffer = bytes("data: one");
  parser.push(buffer);
  buffer.fill(0x78);

  expect(parser.push(bytes("\n\n"))).toEqual([{ type: "message", data: "one" }]);
});

// O18 of the reports: a frame of 20 MB from a hostile host.
test.each([
  ["in one line", "x".repeat(20_000)],
  ["in many lines", `data: ${"x".repeat(20_000)}\n`],
])("[C1] an event of 20 MB %s is refused with a code before more than the limit is held", (_name, part) => {
  const parser = createSseParser(2 * 1_048_576);
  parser.push(bytes("data: "));
  let held = 0;

  const push = (): void => {
    for (let count = 0; count < 1_000; count += 1) {
      parser.push(bytes(part));
      held += part.length;
    }
  };

  expect(push).toThrow(expect.objectContaining({ code: "frame_too_large" }) as Error);
  expect(held).toBeLessThanOrEqual(2 * 1_048_576);
});

test("[C1] small events do not add up to a large one", () => {
  const parser = createSseParser(100);

  for (let index = 0; index < 100; index += 1) expect(parser.push(bytes("data: 0123456789\n\n"))).toHaveLength(1);
});
