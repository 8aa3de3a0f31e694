import { expect, test } from "vitest";
import { ExecError } from "../errors.js";
import { applyShellOutputUpdate } from "./fold-view.js";
import { describe as describeTruncation } from "./notice.js";
import type { ShellOutputMetadata, ShellOutputUpdate, ShellOutputView } from "./view.js";

const metadata: ShellOutputMetadata = {
  truncation: { truncated: false, truncatedBy: null, totalLines: 1, totalBytes: 4, maxLines: 2_000, maxBytes: 51_200 },
};
const view: ShellOutputView = { text: "a🦊b", progress: "open", ...metadata };

test("[X2] a fold gives a new view, and what an update does not say is gone", () => {
  const after = applyShellOutputUpdate(view, { kind: "slide", block: 0, drop: 3, text: "c", metadata });

  expect(after).toEqual({ text: "bc", ...metadata });
  expect(view.text).toBe("a🦊b");
});

test.each<[string, ShellOutputView | undefined, ShellOutputUpdate]>([
  ["an update before the replace", undefined, { kind: "append", block: 0, text: "x", metadata }],
  ["a drop beyond the text", view, { kind: "slide", block: 0, drop: 5, text: "x", metadata }],
  ["a cut inside a character", view, { kind: "slide", block: 0, drop: 2, text: "x", metadata }],
  ["a drop that is no count", view, { kind: "slide", block: 0, drop: -1, text: "x", metadata }],
  ["a block that is not there", view, { kind: "append", block: 1, text: "x", metadata }],
])("[X2] %s is refused with a code", (_name, before, update) => {
  const fold = (): unknown => applyShellOutputUpdate(before, update);

  expect(fold).toThrow(ExecError);
  expect(fold).toThrow(expect.objectContaining({ code: "invalid_argument" }));
});

test("[X3] the sentence about an output has its exact totals", () => {
  const cut = {
    ...metadata.truncation,
    truncated: true,
    truncatedBy: "bytes" as const,
    totalLines: 8_123,
    totalBytes: 262_144,
  };

  expect(describeTruncation(cut)).toBe("8123 lines and 262144 bytes of output, cut to 51200 bytes");
  expect(describeTruncation(metadata.truncation)).toBe("1 line and 4 bytes of output, all shown");
});
