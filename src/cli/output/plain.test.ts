import { expect, test } from "vitest";
import { Pipe } from "../fixtures/pipe.js";
import { windowWith } from "../fixtures/window.js";
import { createPlainDisplay } from "./plain.js";
import { createQuietDisplay } from "./quiet.js";

test("[R6] whole lines come at once, the open one at the end, the notice on a line of its own", async () => {
  const pipe = new Pipe();
  const display = createPlainDisplay(pipe, "tail");

  display.show(windowWith({ text: "one\n", progress: "tw" }), "");
  expect(pipe.read).toBe("one\n");
  display.show(windowWith({ text: "one\ntwo\n" }), "");
  expect(pipe.read).toBe("one\ntwo\n");
  await display.finish(windowWith({ text: "one\ntwo\nthree", notice: "[exit 1]", totalLines: 3, settled: true }));

  expect(pipe.read).toBe("one\ntwo\nthree\n[exit 1]\n");
});

test("[R6] lines that left the window unseen are counted, with the place of the whole output", async () => {
  const pipe = new Pipe();
  const display = createPlainDisplay(pipe, "tail");
  const spillPath = "/state/spill/s_1/x_1.log";

  display.show(windowWith({ text: "1\n2\n" }), "");
  display.show(windowWith({ text: "8\n9\n", truncated: true, totalLines: 9, spillPath }), "");
  display.show(windowWith({ text: "10\n11\n", truncated: true, totalLines: 11, spillPath }), "");
  await display.finish(windowWith({ text: "12\n13\n", truncated: true, totalLines: 13, spillPath, settled: true }));

  expect(pipe.read).toBe(`1\n2\n[… 5 lines not shown, see ${spillPath}]\n8\n9\n10\n11\n12\n13\n`);
});

test("[R9] a reader that pauses has at most one window waiting, and is told what it missed", async () => {
  const pipe = new Pipe("on demand");
  const display = createPlainDisplay(pipe, "tail");
  const line = (n: number): string => `line ${n}\n`;
  const windowAt = (n: number): string => [n - 2, n - 1, n].map(line).join("");

  for (let n = 3; n <= 500; n += 1) {
    display.show(windowWith({ text: windowAt(n), truncated: n > 3, totalLines: n }), "");
    expect(pipe.waiting).toBeLessThan(100);
  }
  await pipe.take();
  await pipe.take();

  expect(pipe.read).toBe(`${windowAt(3)}[… 494 lines not shown]\n${windowAt(500)}`);
});

test("[R6] --quiet gives the final text and the notice, nothing before", async () => {
  const pipe = new Pipe();
  const display = createQuietDisplay(pipe);

  display.show(windowWith({ text: "one\n" }), "");
  expect(pipe.read).toBe("");
  await display.finish(windowWith({ text: "one\ntwo", notice: "[exit 1]", settled: true }));

  expect(pipe.read).toBe("one\ntwo\n[exit 1]\n");
});
