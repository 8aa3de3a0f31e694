import { expect, test } from "vitest";
import type { ChatRow } from "../../facet/index.js";
import { ManualClock } from "../fixtures/clock.js";
import { noColours } from "../fixtures/colours.js";
import { Screen } from "../fixtures/screen.js";
import { answer, call, chat } from "./fixtures/chat.js";
import { LineEditor } from "./line-editor.js";
import { PieceReader } from "./pieces.js";
import { ScreenView } from "./screen-view.js";

const FRAME_MS = 100;

function open(columns: number, rows: number): { screen: Screen; editor: LineEditor; show(...rows: ChatRow[]): void } {
  const screen = new Screen(columns, rows);
  const clock = new ManualClock();
  const editor = new LineEditor();
  const reader = new PieceReader(undefined);
  const view = new ScreenView({ output: screen, reader, clock, colours: noColours, editor, isOngoing: false });
  return {
    screen,
    editor,
    show(...shown) {
      view.show(chat(...shown));
      clock.pass(FRAME_MS);
    },
  };
}

test("[R33] what is settled stands above what is under way, and the line that is typed below", () => {
  const { screen, editor, show } = open(40, 12);
  editor.press("h", {});

  show(answer("I look.\nat two", 0), call("make", undefined, "one\ntwo\n"), call("ls", 1, "a\n"));

  expect(screen.text.split("\n")).toEqual([
    "I look.",
    "at two",
    "bash make",
    "one",
    "two",
    "⠋ 0.0 s · 2 lines · 8 B",
    "… 0.0 s",
    "› h▏",
  ]);
  show(answer("I look.\nat two", 0), call("make", 2, "one\ntwo\n"), call("ls", 1, "a\n"));
  expect(screen.text).toMatch(
    /^I look\.\nat two\n\nbash make · done · 2 lines\n {2}one\n {2}two\nbash ls · done · 1 line\n/,
  );
});

test("[R33] [R7] the region fits every terminal, and a long line is wrapped as the terminal does", () => {
  for (const [columns, rows] of [
    [80, 24],
    [40, 8],
    [20, 4],
    [10, 2],
  ] as const) {
    const { screen, show } = open(columns, rows);
    screen.write("earlier\n");
    const calls = Array.from({ length: 5 }, (_, index) => call(`make ${index}`, undefined, "line\n".repeat(50)));
    for (let step = 0; step < 20; step += 1) show(answer("日本 wörd ".repeat(step * 3)), ...calls);

    // A region that is taller than the terminal would leave rows of itself behind at each frame.
    expect(screen.cells.length, `${columns} x ${rows}`).toBeLessThanOrEqual(1 + rows);
    expect(screen.cells[0], `${columns} x ${rows}`).toBe("earlier");
  }
});

test("[R33] [R8] nothing of a call or an answer controls the terminal", () => {
  const { screen, show } = open(60, 24);
  const attack = "a\u001b[2Jb\u009b1mc\u0007";
  const asked = { ...call(attack), pendingApproval: { at: 1, reason: attack } };

  show(answer(`${attack}\n${attack}`), call(attack, undefined, `${attack}\n`), asked);
  show(answer(`${attack}\n${attack}`, 0), call(attack, 1, `${attack}\n`), asked);

  // The screen refuses every control but the region's own.
  expect(screen.text).toContain("a\ufffd[2Jb\ufffd1mc\ufffd");
});
