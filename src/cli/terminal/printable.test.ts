import { expect, test } from "vitest";
import { printableLine, printableText } from "./printable.js";

const attacks = [
  ["clear", "\u001b[2J"],
  ["title", "\u001b]0;x\u0007"],
  ["clipboard", "\u001b]52;c;aGk=\u0007"],
  ["alternate screen", "\u001b[?1049h"],
  ["bracketed paste off", "\u001b[?2004l"],
  ["eight-bit CSI", "\u009b2J"],
  ["eight-bit OSC", "\u009d0;x\u009c"],
  ["a sequence cut at its start", "[2J\u001b"],
  ["backspaces", "a\b\b\b"],
  ["carriage return", "a\rb"],
  ["delete", "\u007f"],
] as const;

test.each(attacks)("[R8] nothing of a control reaches a terminal (case O16): %s", (_name, attack) => {
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

  expect(printableLine(attack)).not.toMatch(control);
  expect(printableText(attack)).not.toMatch(control);
});

test("text of any language stays as it is", () => {
  const text = "grün\tпривет\n日本 👩‍👩‍👧\n";

  expect(printableText(text)).toBe(text);
});

test("tabs reach to the next stop", () => {
  expect(printableLine("\ta\tb")).toBe("        a       b");
});
