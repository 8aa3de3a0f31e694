import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { PROTOCOL_VERSION } from "../src/protocol/index.js";
import { readText } from "./support/files.js";

// Shapes that cross a process or a disk are those of the public surface of `protocol`. Whoever changes one decides whether an
// older reader would misread it: then the version rises, with a line in src/protocol/version.ts. The hash is set anew either way.

const KNOWN = { version: 2, hash: "3423b11597b0cf30" };

test("the shapes of the protocol are those of its version", () => {
  const hash = createHash("sha256").update(readText("test/surface/protocol.txt")).digest("hex").slice(0, 16);

  expect({ version: PROTOCOL_VERSION, hash }).toEqual(KNOWN);
});
