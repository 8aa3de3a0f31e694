import { expect, test } from "vitest";
import { ModelError } from "./contract.js";
import { parseScript } from "./script.js";

const call = { type: "toolCall", name: "bash", args: { command: "true" } };

test("[M11] a script is read from text and from a value", () => {
  const script = {
    version: 1,
    turns: [
      [
        { type: "text", text: "hi" },
        { ...call, delayMs: 0 },
      ],
      [
        { type: "error", code: "overloaded", message: "busy", retryable: false, retryAfterMs: 5, times: 1 },
        { type: "cut", call: { name: "bash", input: '{"com' }, times: 2 },
        { type: "cut" },
        { type: "stall", delayMs: 1 },
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
  [
    "an error with a code of ours",
    { version: 1, turns: [[{ type: "error", code: "key_missing" }]] },
    "turns[0][0].code",
  ],
  ["a failure that never comes", { version: 1, turns: [[{ type: "stall", times: 0 }]] }, "turns[0][0].times"],
  ["a cut in a call without input", { version: 1, turns: [[{ type: "cut", call: { name: "b" } }]] }, "call.input"],
])("[M11] a script with %s is refused with the place", (_name, input, place) => {
  const parse = (): unknown => parseScript(input);

  expect(parse).toThrow(ModelError);
  expect(parse).toThrow(expect.objectContaining({ code: "invalid_script", retryable: false }));
  expect(parse).toThrow(place);
});
