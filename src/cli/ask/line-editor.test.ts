import { expect, test } from "vitest";
import { noColours } from "../fixtures/colours.js";
import { LineEditor } from "./line-editor.js";
import type { Pressed } from "./line-editor.js";

const type = (editor: LineEditor, text: string): void => {
  for (const character of text) editor.press(character, {});
};
const control = (editor: LineEditor, name: string): Pressed | undefined =>
  editor.press(undefined, { name, ctrl: true });

test("[R34] a line is typed, changed in the middle, and taken", () => {
  const editor = new LineEditor();
  type(editor, "mke x 🦊");
  editor.press(undefined, { name: "backspace" });
  for (let step = 0; step < 5; step += 1) editor.press(undefined, { name: "left" });
  type(editor, "a");

  expect(editor.draw("› ", "", 20, noColours)).toBe("› ma▏ke x ");
  expect(editor.press("\r", { name: "return" })).toEqual({ type: "line", text: "make x " });
  expect(editor.text).toBe("");
  editor.press(undefined, { name: "up" });
  expect(editor.text).toBe("make x ");
});

test("[R34] what is pasted is one line to take, whatever newlines it holds", () => {
  const editor = new LineEditor();
  editor.press(undefined, { name: "paste-start" });
  type(editor, "a");
  expect(editor.press("\r", { name: "return" })).toBeUndefined();
  type(editor, "b");
  editor.press(undefined, { name: "paste-end" });

  expect(editor.press("\r", { name: "return" })).toEqual({ type: "line", text: "a\nb" });
});

test("[R34] Ctrl-C clears what is typed, and then stops; Ctrl-D ends an empty line", () => {
  const editor = new LineEditor();
  type(editor, "x");

  expect([control(editor, "d"), control(editor, "c"), editor.text]).toEqual([undefined, undefined, ""]);
  expect(control(editor, "c")).toEqual({ type: "signal", signal: "SIGINT" });
  expect(control(editor, "z")).toEqual({ type: "signal", signal: "SIGTSTP" });
  expect(control(editor, "d")).toEqual({ type: "end" });
  expect(editor.press("\r", { name: "return" })).toBeUndefined();
});

test("[R34] [R8] controls are no text, and the row fits the terminal", () => {
  const editor = new LineEditor();
  editor.press("\u009b2J\u0007ok", {});
  expect(editor.text).toBe("2Jok");
  type(editor, "x".repeat(200));

  expect(editor.draw("› ", "", 20, noColours)).toHaveLength(20);
  expect(new LineEditor().draw("› ", "a hint that is long", 10, noColours)).toHaveLength(10);
});
