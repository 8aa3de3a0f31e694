import { expect, test } from "vitest";
import { MAX_ADDED_TOOLS } from "./added-tools.js";
import { MAX_DETAILS_BYTES } from "./details.js";
import { MAX_IMAGE_BYTES, MAX_IMAGES } from "./images.js";
import { openSink } from "../fixtures/consumed-sink.js";

const png = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
const coded = (code: string): unknown => expect.objectContaining({ code });
/** A string that is `bytes` long as JSON. */
const json = (bytes: number): string => "x".repeat(bytes - 2);

test("[T5] sixteen images are taken, after the text, and the next is refused", () => {
  const { sink } = openSink();

  for (let index = 0; index < MAX_IMAGES; index += 1) sink.out.image(png);
  expect(() => sink.out.image(png)).toThrow(coded("too_many_images"));
  sink.settle(new Error("one too many"));

  const kinds = sink.snapshot().content.map((block) => (block.type === "text" && block.notice ? "notice" : block.type));
  expect(kinds).toEqual(["text", "notice", ...Array.from({ length: MAX_IMAGES }, () => "image")]);
});

test("[T5] an image of exactly the limit is taken, one byte more is refused with both numbers", () => {
  const { sink } = openSink();
  const ofBytes = (bytes: number): typeof png => ({
    ...png,
    data: Buffer.alloc(bytes).toString("base64") as typeof png.data,
  });

  sink.out.image(ofBytes(MAX_IMAGE_BYTES));

  expect(() => sink.out.image(ofBytes(MAX_IMAGE_BYTES + 1))).toThrow(/at most 8388608 bytes, this one 8388609/);
});

test.each([
  { ...png, mediaType: "text/html" },
  { ...png, data: "" },
  { ...png, data: "not base64!!" },
  { ...png, data: "iVBORw0KGgo" },
])("[T5] what is no image is refused: $mediaType $data", (image) => {
  const { sink } = openSink();

  expect(() => sink.out.image(image)).toThrow(coded("invalid_argument"));
  expect(sink.snapshot().content).toHaveLength(1);
});

test("[T5] details of exactly the limit are taken, one byte more is undone and thrown where it is assigned", () => {
  const { sink, folded } = openSink();

  sink.out.details = json(MAX_DETAILS_BYTES);
  sink.flush();
  expect(() => (sink.out.details = json(MAX_DETAILS_BYTES + 1))).toThrow(coded("details_too_large"));

  expect(folded()?.details).toHaveLength(MAX_DETAILS_BYTES - 2);
  expect(sink.snapshot()).toEqual(folded());
});

test("[T5] details that grew too large by mutation are undone before anyone is sent them, and the tool is told once", () => {
  const { sink, clock, folded } = openSink();
  const details = { list: ["kept"] };
  sink.out.details = details;
  sink.flush();

  (sink.out.details as typeof details).list.push("x".repeat(MAX_DETAILS_BYTES));
  clock.advance(1_000);

  expect(folded()?.details).toEqual({ list: ["kept"] });
  expect(() => sink.out.write("next")).toThrow(/at most 262144 bytes as JSON, these have 26\d{4}/);
  sink.out.write("after");
  expect(sink.settle()).toBeUndefined();
});

test("[T5] a tool that ends with details beyond the limit fails with that error", () => {
  const { sink, notice, folded } = openSink();
  sink.out.details = { list: [] as string[] };
  (sink.out.details as { list: string[] }).list.push("x".repeat(MAX_DETAILS_BYTES));

  const error = sink.settle();

  expect(error).toMatchObject({ code: "details_too_large" });
  expect(notice()).toContain("details have at most 262144 bytes");
  expect(folded()).toEqual(sink.snapshot());
});

test("[T5] details that are no JSON are refused where they are written, with their place", () => {
  const { sink } = openSink();

  expect(() => (sink.out.details = { at: new Date() } as never)).toThrow(/details.*at|at.*details/s);
  expect(sink.snapshot().details).toEqual({});
});

test("[T5] names of added tools and amounts of usage are checked, and a refused call changes nothing", () => {
  const { sink } = openSink();
  sink.out.addTools(Array.from({ length: MAX_ADDED_TOOLS }, (_, index) => `tool-${index}`));

  expect(() => sink.out.addTools(["one-more"])).toThrow(coded("too_many_tools"));
  expect(() => sink.out.addTools(["no such name"])).toThrow(coded("invalid_argument"));
  expect(() => sink.out.usage({ inputTokens: 1, outputTokens: Number.NaN })).toThrow(/usage.outputTokens/);

  expect(sink.snapshot().addedTools).toHaveLength(MAX_ADDED_TOOLS);
  expect(sink.snapshot()).not.toHaveProperty("usage");
});

test("[T5] limits that cannot hold are refused when the sink is made", () => {
  for (const limits of [{ maxBytes: 0 }, { maxLines: 1.5 }, { retain: "middle" as never }]) {
    expect(() => openSink(limits)).toThrow(coded("invalid_argument"));
  }
});
