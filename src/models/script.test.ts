import { expect, test } from "vitest";
import { ModelError } from "./contract.js";
import { parseScript } from "./script.js";

const call = { type: "toolCall", name: "bash", args: { command: "true" } };

test("a script is read from text and from a value", () => {
  const script = {
    version: 1,
    turns: [
      [
        { type: "text", text: "hi" },
        { ...call, delayMs: 0 },
      ],
      [],
    ],
  };

  expect(parseScript(JSON.stringify(script))).toEqual(script);
  expect(parseScript(script)).toEqual(script);
});

test.each([
  ["text that is no JSON", "{", "The script is not JSON"],
  ["a value of another type", [], "at the top"],
  ["another version", { version: 2, turns: [] }, "at version"],
  ["no turns", { version: 1 }, "at turns"],
  ["an unknown key at the top", { version: 1, turns: [], extra: 1 }, "extra"],
  ["a turn that is no list", { version: 1, turns: [call] }, "at turns[0]"],
  ["an unknown step", { version: 1, turns: [[], [{ type: "sing" }]] }, "at turns[1][0].type"],
  ["a text that is no string", { version: 1, turns: [[{ type: "text", text: 3 }]] }, "at turns[0][0].text"],
  ["a misspelt key", { version: 1, turns: [[{ ...call, arguments: {} }]] }, "arguments"],
  ["a name with a space", { version: 1, turns: [[{ ...call, name: "ba sh" }]] }, "at turns[0][0].name"],
  ["args that are no object", { version: 1, turns: [[{ ...call, args: [] }]] }, "at turns[0][0].args"],
  ["a delay below zero", { version: 1, turns: [[{ ...call, delayMs: -1 }]] }, "at turns[0][0].delayMs"],
  ["a delay that is no number", { version: 1, turns: [[{ ...call, delayMs: "1s" }]] }, "at turns[0][0].delayMs"],
])("a script with %s is refused with the place", (_name, input, place) => {
  const parse = (): unknown => parseScript(input);

  expect(parse).toThrow(ModelError);
  expect(parse).toThrow(expect.objectContaining({ code: "invalid_script", retryable: false }));
  expect(parse).toThrow(place);
});
