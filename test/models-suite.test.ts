import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createScriptedModel, parseScript } from "../src/models/index.js";
import type { Script } from "../src/models/index.js";
import { defineModelSuite } from "../src/testing/index.js";
import type { ModelAnswer } from "../src/testing/index.js";
import { startModelServer } from "./support/model-server/server.js";
import { wires } from "./support/model-server/wires.js";

describe.each(wires)("[M1] %s passes the contract suite", (_name, create) => {
  defineModelSuite({
    test,
    assert,
    async open(answers) {
      const server = await startModelServer();
      server.add(...answers.map((answer) => ({ answer })));
      return { model: create(server.baseUrl), dispose: server.close };
    },
  });
});

describe("[M1] the scripted model passes the contract suite", () => {
  defineModelSuite({
    test,
    assert,
    cannot: ["think", "state malformed input", "reach a limit", "count tokens"],
    async open(answers) {
      return { model: createScriptedModel(makeScript(answers)), dispose: async () => undefined };
    },
  });
});

function makeScript(answers: readonly ModelAnswer[]): Script {
  const turns = answers.map(({ parts, hangs }) => [
    ...parts.map((part) =>
      part.type === "toolCall" ? { type: "toolCall", name: part.name, args: JSON.parse(part.input) as unknown } : part,
    ),
    ...(hangs === true ? [{ type: "text", text: "late", delayMs: 3_600_000 }] : []),
  ]);
  return parseScript({ version: 1, turns });
}
