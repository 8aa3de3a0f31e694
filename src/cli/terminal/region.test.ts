import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Screen } from "../fixtures/screen.js";
import { LiveRegion } from "./region.js";

const rowsOf = (text: string): string[] => text.split("\n");

test("[R7] a region shows its rows below what stood there", () => {
  const screen = new Screen(20, 10);
  screen.write("$ spillway\n");

  new LiveRegion(screen).draw(["one", "two"]);

  expect(screen.text).toBe("$ spillway\none\ntwo");
});

test("[R7] any rows follow any others, and what stood above stays", () => {
  const rows = fc.array(fc.constantFrom("", "a", "bb", "a longer row", "~".repeat(20)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 12 }), (frames) => {
      const screen = new Screen(20, 40);
      screen.write("above\n");
      const region = new LiveRegion(screen);
      for (const frame of frames) {
        region.draw(frame);
        expect(rowsOf(screen.cells.join("\n"))).toEqual(["above", ...frame]);
      }
      region.clear();
      expect(screen.text).toBe("above");
    }),
  );
});

test("[R7] rows that did not change are not written", () => {
  const screen = new Screen(80, 24);
  const region = new LiveRegion(screen);
  region.draw(["x".repeat(70), "y".repeat(70), "1 s"]);

  region.draw(["x".repeat(70), "y".repeat(70), "2 s"]);
  region.draw(["x".repeat(70), "y".repeat(70), "2 s"]);

  expect(screen.writes).toHaveLength(2);
  expect(screen.writes[1]?.length).toBeLessThan(50);
});

test("[R7] a terminal that becomes narrower keeps nothing of the old frame", () => {
  const screen = new Screen(40, 20);
  screen.write("above\n");
  const region = new LiveRegion(screen);
  region.draw(["a".repeat(40), "b".repeat(25), "status"]);

  screen.resize(20, 20);
  region.draw(["a".repeat(20), "b".repeat(20), "status"]);

  expect(screen.cells).toEqual(["above", "a".repeat(20), "b".repeat(20), "status"]);
});

test("[R7] a terminal that becomes wider keeps nothing of the old frame", () => {
  const screen = new Screen(20, 20);
  screen.write("above\n");
  const region = new LiveRegion(screen);
  region.draw(["a".repeat(20), "status"]);

  screen.resize(40, 20);
  region.draw(["a".repeat(40), "status"]);

  expect(screen.cells).toEqual(["above", "a".repeat(40), "status"]);
});

test.each([
  { name: "clear", end: (region: LiveRegion) => region.clear() },
  { name: "release", end: (region: LiveRegion) => region.release() },
])("[R7] after $name the cursor is visible and lines wrap", ({ end }) => {
  const screen = new Screen(20, 10);
  const region = new LiveRegion(screen);
  region.draw(["one"]);
  expect(screen.cursorVisible).toBe(false);

  end(region);

  expect(screen.cursorVisible).toBe(true);
  expect(screen.wraps).toBe(true);
});

test("[R7] a region that was released stays above what follows", () => {
  const screen = new Screen(20, 10);
  const region = new LiveRegion(screen);
  region.draw(["one", "two"]);

  region.release();
  screen.write("$ ");

  expect(screen.text).toBe("one\ntwo\n$");
});
