import { expect, test } from "vitest";
import { ManualClock } from "../fixtures/clock.js";
import { noColours } from "../fixtures/colours.js";
import { Screen } from "../fixtures/screen.js";
import { windowWith } from "../fixtures/window.js";
import { createLiveDisplay } from "./live.js";

const FRAME_MS = 100;

function open(
  columns = 80,
  rows = 24,
): { screen: Screen; clock: ManualClock; display: ReturnType<typeof createLiveDisplay> } {
  const screen = new Screen(columns, rows);
  const clock = new ManualClock();
  const display = createLiveDisplay({ output: screen, retain: "tail", clock, colours: noColours });
  return { screen, clock, display };
}

test("[R7] the last lines of the window, the progress line and one status line are shown", () => {
  const { screen, clock, display } = open(60, 8);

  display.show(windowWith({ text: "1\n2\n3\n4\n5\n6\n7\n", progress: "50 %" }), "");
  clock.pass(2 * FRAME_MS);

  const lines = screen.text.split("\n");
  expect(lines.slice(0, -1)).toEqual(["3", "4", "5", "6", "7", "50 %"]);
  expect(lines.at(-1)).toMatch(/^\S 0\.2 s · 8 lines · 18 B$/);
});

test("[R7] totals and the spill come from the env once it has cut", () => {
  const { screen, clock, display } = open(60, 8);
  const spillPath = "/state/spill/s_1/x_1.log";

  display.show(windowWith({ text: "9\n", truncated: true, totalLines: 1234, totalBytes: 98_765, spillPath }), "");
  clock.pass(FRAME_MS);

  expect(screen.text).toMatch(/ 0\.1 s · 1,234 lines · 98\.8 kB · spill …?\S*x_1\.log$/);
});

test("[R7] at the end the final text takes the region's place and the cursor is visible", async () => {
  const { screen, clock, display } = open(40, 10);
  display.show(windowWith({ text: "building\n", progress: "90 %" }), "");
  clock.pass(FRAME_MS);

  await display.finish(windowWith({ text: "building\ndone", notice: "[all is well]", settled: true }));
  clock.pass(10 * FRAME_MS);

  expect(screen.text).toBe("building\ndone\n[all is well]");
  expect(screen.cursorVisible).toBe(true);
});

test("[R7] an update costs at most four screens, above a long transcript and for any text (case X36)", () => {
  const { screen, clock, display } = open(80, 24);
  screen.write("earlier\n".repeat(10_000));
  screen.writes.length = 0;
  let text = "";

  for (let update = 0; update < 1_000; update += 1) {
    text = `${text}${`${update} ${"wörd 日本 ".repeat(update % 90)}\n`.repeat(update % 7)}`.slice(-50_000);
    display.show(windowWith({ text, progress: "#".repeat(update % 4_000) }), "");
    clock.pass(FRAME_MS);
  }

  expect(screen.writes.length).toBeGreaterThan(900);
  const largest = Math.max(...screen.writes.map((write) => Buffer.byteLength(write)));
  expect(largest).toBeLessThanOrEqual(4 * 80 * 24);
  expect(screen.writes.join("")).not.toMatch(/\u001b\[[123]?J(?<!\u001b\[J)|\u001bc|\u001b\[\?1049/);
});

test("[R7] the cost of an update does not follow the length of the output (case X35)", () => {
  const { clock, display } = open(80, 24);
  const durations: number[] = [];
  let text = "";

  for (let update = 0; update < 5_000; update += 1) {
    // As in a window of the usual size: it slides from a third of the appends on.
    text = `${text}${update} überprüft: 日本 ok\n`.slice(-50_000);
    const start = performance.now();
    display.show(windowWith({ text }), "");
    clock.pass(FRAME_MS);
    durations.push(performance.now() - start);
  }

  // The first frames pay for compilation: the measure starts where the run is warm.
  const early = median(durations.slice(500, 1_000));
  const late = median(durations.slice(-500));
  expect(late / early).toBeLessThan(2);
});

test("[R7] after a change of size the region fits the terminal", () => {
  const { screen, clock, display } = open(80, 24);
  display.show(windowWith({ text: `${"x".repeat(79)}\n`.repeat(30) }), "");
  clock.pass(FRAME_MS);

  screen.resize(40, 10);
  clock.pass(FRAME_MS);

  const lines = screen.cells.filter((line) => line.startsWith("x"));
  expect(lines).toEqual(Array.from({ length: 8 }, () => `${"x".repeat(39)}…`));
});

test("[R8] a command's controls never reach the terminal, from text, progress or notice (case O16)", async () => {
  const { screen, clock, display } = open();
  const attack = "\u001b[2J\u001b]52;c;aGk=\u0007\u009b2J\u001b[?1049h";

  display.show(windowWith({ text: `${attack}\n`, progress: attack, spillPath: attack }), "");
  clock.pass(FRAME_MS);
  await display.finish(windowWith({ text: attack, notice: attack, settled: true }));

  // The screen refuses every control but the region's own.
  expect(screen.text).toContain("\ufffd[2J");
});

test("[R7] a terminal that is behind gets the newest frame instead of every one", () => {
  const { screen, clock, display } = open();
  screen.isIdle = false;
  screen.writes.length = 0;
  display.show(windowWith({ text: "1\n" }), "");
  clock.pass(10 * FRAME_MS);
  expect(screen.writes).toEqual([]);

  screen.isIdle = true;
  display.show(windowWith({ text: "1\n2\n" }), "");
  clock.pass(FRAME_MS);

  expect(screen.writes).toHaveLength(1);
  expect(screen.text).toContain("1\n2\n");
});

test("[R7] while the process is suspended nothing is drawn, and then all of it again", () => {
  const { screen, clock, display } = open();
  display.show(windowWith({ text: "1\n" }), "");
  clock.pass(FRAME_MS);

  display.suspend();
  expect(screen.cursorVisible).toBe(true);
  screen.write("$ fg\n");
  clock.pass(FRAME_MS);
  display.resume();

  expect(screen.text).toMatch(/1\n.*\n\$ fg\n1\n.*$/);
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
