import { expect, test } from "vitest";
import type { CliContext } from "../../context.js";
import { ManualClock } from "../../fixtures/clock.js";
import { Pipe } from "../../fixtures/pipe.js";
import { Screen } from "../../fixtures/screen.js";
import { windowWith } from "../../fixtures/window.js";
import type { TextOutput } from "../../terminal/text-output.js";
import type { OutputWindow } from "../window.js";
import { openCallsDisplay } from "./calls-display.js";
import type { CallsDisplay, ShownCall } from "./contract.js";

const FRAME_MS = 100;

function open(output: TextOutput, isQuiet = false): { display: CallsDisplay; clock: ManualClock } {
  const clock = new ManualClock();
  const context = { clock, environment: { NO_COLOR: "1" } } as Partial<CliContext> as CliContext;
  return { display: openCallsDisplay({ output, isQuiet, retain: "tail" }, context), clock };
}

function call(id: string, text: string, parts: Partial<OutputWindow> = {}): ShownCall {
  return { id, title: `bash ${id}`, window: windowWith({ text, ...parts }) };
}

const settled = { settled: true };

test("[R18] lines of calls that run side by side are written as they come, each once, under the name of their call", async () => {
  const pipe = new Pipe();
  const { display } = open(pipe);

  display.show([call("a", "a1\n")]);
  display.show([call("a", "a1\n"), call("b", "b1\n")]);
  display.show([call("a", "a1\na2\n"), call("b", "b1\n")]);
  display.show([call("a", "a1\na2\n"), call("b", "b1\nb2", { ...settled, notice: "[exit 1]" })]);
  await display.finish([call("a", "a1\na2\na3\n", settled), call("b", "b1\nb2", { ...settled, notice: "[exit 1]" })]);

  expect(pipe.read).toBe(
    "a1\n==> bash b <==\nb1\n==> bash a <==\na2\n==> bash b <==\nb2\n[exit 1]\n==> bash a <==\na3\n",
  );
});

test("[R18] one call needs no name, and of those that ended before only the last is shown, where none runs", async () => {
  const [idle, busy] = [new Pipe(), new Pipe()];
  const old = [call("a", "a\n", settled), call("b", "b\n", settled)];

  const { display } = open(idle);
  display.show(old);
  await display.finish(old);
  const { display: other } = open(busy);
  other.show([...old, call("c", "c\n")]);
  await other.finish([...old, call("c", "c\n", settled)]);

  expect([idle.read, busy.read]).toEqual(["b\n", "c\n"]);
});

test("[R9] a reader that pauses is given the newest of each call, and all of them at the end", async () => {
  const pipe = new Pipe("on demand");
  const { display } = open(pipe);
  const line = (id: string, n: number): ShownCall =>
    call(id, `${id}${n}\n`, { truncated: n > 1, totalLines: n, settled: n === 500 });

  for (let n = 1; n <= 500; n += 1) {
    display.show([line("a", n), line("b", n)]);
    expect(pipe.waiting).toBeLessThan(100);
  }
  const finished = display.finish([line("a", 500), line("b", 500)]);
  for (let turn = 0; turn < 9; turn += 1) await pipe.take();
  await finished;

  expect(pipe.read).toMatch(/a500\n[^]*b500\n$/);
  expect(pipe.read).toContain("[… 498 lines not shown]");
});

test("[R6] --quiet gives the results of all of them, and nothing else", async () => {
  const pipe = new Pipe();
  const { display } = open(pipe, true);

  display.show([call("a", "a1\n"), call("b", "b1\n")]);
  display.show([call("a", "a1\n"), call("b", "b2\n", settled)]);
  await display.finish([call("a", "a2\n", settled), call("b", "b2\n", settled)]);

  expect(pipe.read).toBe("b2\na2\n");
});

test("[R7] [R18] on a terminal the newest call is shown and each other has a row; one that settles stands above them", async () => {
  const screen = new Screen(40, 12);
  const { display, clock } = open(screen);

  display.show([call("a", "a1\na2\n"), call("b", "b1\nb2\n"), call("c", "", { progress: "50 %" })]);
  clock.pass(FRAME_MS);
  expect(screen.text.split("\n").slice(0, -1)).toEqual(["bash a │ a2", "bash b │ b2", "==> bash c <==", "50 %"]);

  display.show([call("a", "a1\na3\n"), call("b", "b1\nb2\n", settled), call("c", "c1\n")]);
  clock.pass(FRAME_MS);
  const lines = ["==> bash b <==", "b1", "b2", "bash a │ a3", "==> bash c <==", "c1"];
  expect(screen.text.split("\n").slice(0, -1)).toEqual(lines);
  expect(screen.text).toMatch(/\S 0\.2 s · 1 line · 3 B$/);

  await display.finish([call("a", "a1\na3\n", settled), call("c", "c1\n", settled)]);
  clock.pass(FRAME_MS);
  expect(screen.text).toBe("==> bash b <==\nb1\nb2\n==> bash a <==\na1\na3\n==> bash c <==\nc1");
  expect(screen.cursorVisible).toBe(true);
});

test("[R7] any number of calls fits the terminal, whatever their names and lines", () => {
  const screen = new Screen(30, 12);
  const { display, clock } = open(screen);
  const wide = "日本 ".repeat(40);

  display.show(Array.from({ length: 64 }, (_, n) => ({ ...call(`${n} ${wide}`, `${wide}\n`.repeat(30)) })));
  clock.pass(FRAME_MS);

  const lines = screen.text.split("\n");
  expect(lines[0]).toBe("61 more calls");
  expect(lines).toHaveLength(11);
  expect(Math.max(...screen.writes.map((write) => Buffer.byteLength(write)))).toBeLessThanOrEqual(4 * 30 * 12);
});

test("[R8] names and lines of other calls hold no control that a terminal would obey", () => {
  const screen = new Screen(80, 24);
  const { display, clock } = open(screen);

  display.show([call("a", "\u001b[2J\u009b2J\n"), call("b", "b\n")]);
  clock.pass(FRAME_MS);

  expect(screen.text).toContain("bash a │ \ufffd[2J\ufffd2J");
});
