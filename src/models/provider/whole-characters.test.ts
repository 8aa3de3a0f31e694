import { expect, test } from "vitest";
import type { ModelPart } from "../contract.js";
import { WholeCharacters } from "./whole-characters.js";

const [HIGH, LOW] = ["\ud83e", "\udd8a"];
const text = (text: string): ModelPart => ({ type: "text", text });
const input = (call: number, text: string): ModelPart => ({ type: "toolCallInput", call, text });

function pass(...parts: readonly ModelPart[]): readonly ModelPart[] {
  const characters = new WholeCharacters();
  return parts.flatMap((part) => [...characters.take(part)]);
}

test("[M1] a character that is cut in two comes whole, in the part of its second half", () => {
  expect(pass(text(`a${HIGH}`), text(`${LOW}b`), text(HIGH), text(LOW))).toEqual([text("a"), text("🦊b"), text("🦊")]);
  expect(pass(input(0, HIGH), input(0, LOW))).toEqual([input(0, "🦊")]);
});

test("[M1] half a character that stays alone becomes U+FFFD, in a part of its own kind", () => {
  const end: ModelPart = { type: "finish", reason: "end" };
  expect(pass(text(HIGH), end)).toEqual([text("\ufffd"), end]);
  expect(pass(input(0, HIGH), input(1, LOW))).toEqual([input(0, "\ufffd"), input(1, "\ufffd")]);
  expect(pass(text(`${LOW}a`))).toEqual([text("\ufffda")]);
});

test("[M1] thinking without text passes, because data may follow it", () => {
  const hidden: ModelPart = { type: "thinking", text: "" };
  expect(pass(hidden)).toEqual([hidden]);
});
