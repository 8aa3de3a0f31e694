import { expect, test } from "vitest";
import { forEachSeed } from "./fixtures/random.js";
import { assertSame } from "./fixtures/same-json.js";
import { StatedText } from "./stated-text.js";

test("[D14] pieces equal the plain string through edits, reads, undos and flushes", () => {
  forEachSeed(200, (random) => {
    let plain = random.text(50);
    let settled = plain;
    const pieces = new StatedText(plain, "text");
    for (let step = 0; step < 30; step += 1) {
      const undoes = random.oneIn(4);
      const before = plain;
      const added = random.oneIn(3) ? "x".repeat(random.int(5_000)) : random.text(20);
      const isDrop = random.oneIn(2);
      const drop = random.int(plain.length + 1);
      const undo = isDrop ? pieces.slide(drop, "") : pieces.slide(0, added);
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
      if (at < plain.length) assertSame(pieces.charCodeAt(at), plain.charCodeAt(at));
      if (random.oneIn(5)) assertSame(pieces.settledText, settled);
      if (random.oneIn(6)) {
        pieces.settle();
        settled = plain;
        assertSame(pieces.changed, false);
      }
    }
  });
});

test("[D14] what was stated names only what is left of it", () => {
  const pieces = new StatedText("abc", "text");
  pieces.slide(0, "defgh");
  pieces.slide(5, "i");
  expect(pieces.stated).toEqual({ drop: 3, text: "fghi", whole: true });
  expect([pieces.toString(), pieces.settledText]).toEqual(["fghi", "abc"]);
});
