import { expect, test } from "vitest";
import { forEachSeed } from "./fixtures/random.js";
import { assertSame } from "./fixtures/same-json.js";
import { PiecedText } from "./pieced-text.js";

test("[D14] pieces equal the plain string through edits, reads, undos and flushes", () => {
  forEachSeed(200, (random) => {
    let plain = random.text(50);
    let settled = plain;
    const pieces = new PiecedText(plain, "text");
    for (let step = 0; step < 30; step += 1) {
      const undoes = random.oneIn(4);
      const before = plain;
      const added = random.oneIn(3) ? "x".repeat(random.int(5_000)) : random.text(20);
      const isDrop = random.oneIn(2);
      const drop = random.int(plain.length + 1);
      const undo = isDrop ? pieces.drop(drop) : pieces.append(added);
      plain = isDrop ? plain.slice(drop) : plain + added;
      if (random.oneIn(3)) assertSame(pieces.toString(), plain);
      if (undoes) {
        undo();
        plain = before;
      }
      const { drop: dropped, text, whole } = pieces.stated;
      expect(whole ? plain : settled.slice(dropped) + text).toBe(plain);
      expect(pieces.length).toBe(plain.length);
      const at = random.int(plain.length + 1);
      if (at < plain.length) assertSame(pieces.unitAt(at), plain.charCodeAt(at));
      if (random.oneIn(5)) assertSame(pieces.settledText, settled);
      if (random.oneIn(6)) {
        pieces.settle();
        settled = plain;
        assertSame(pieces.edited, false);
      }
    }
  });
});

test("[D14] what was stated names only what is left of it", () => {
  const pieces = new PiecedText("abc", "text");
  pieces.append("defgh");
  pieces.drop(5);
  pieces.append("i");
  expect(pieces.stated).toEqual({ drop: 3, text: "fghi", whole: true });
  expect([pieces.toString(), pieces.settledText]).toEqual(["fghi", "abc"]);
});

test("[D14] a text that slides holds the blocks it shows and few more, flushed or not", () => {
  for (const flushEvery of [1, 50, Infinity]) {
    const line = `${"x".repeat(2_999)}\n`;
    const pieces = new PiecedText(line.repeat(10), "text");
    for (let count = 1; count <= 3_000; count += 1) {
      pieces.append(line);
      pieces.drop(line.length);
      if (count % flushEvery === 0) pieces.settle();
      assertSame(pieces.blockCount < 100, true);
    }
    expect(pieces.toString()).toBe(line.repeat(10));
  }
});

test("[D14] a text that grows by little has few blocks", () => {
  const pieces = new PiecedText("", "text");
  for (let count = 0; count < 10_000; count += 1) pieces.append("0123456789");
  expect(pieces.blockCount).toBeLessThan(100_000 / 2_000);
});
