import fc from "fast-check";
import { expect, test } from "vitest";
import { readLinePage, START } from "./line-page.js";
import type { LinePage, PageRequest } from "./line-page.js";
import type { OutputFile } from "./output-file.js";
import { plainText } from "./plain-text.js";

const runs = process.env["CI"] === "true" ? 5_000 : 200;

/** A file that is handed out in pieces of the sizes given, over and over, in one buffer. */
function inPieces(bytes: Buffer, sizes: readonly number[]): OutputFile {
  return {
    length: bytes.length,
    async *pieces(start) {
      const shared = Buffer.alloc(Math.max(...sizes));
      for (let at = start, turn = 0; at < bytes.length; turn += 1) {
        const size = Math.min(sizes[turn % sizes.length] ?? 1, bytes.length - at);
        bytes.copy(shared, 0, at, at + size);
        yield await Promise.resolve(shared.subarray(0, size));
        at += size;
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** What a page has to be, from all lines at once. */
function expectedPage(text: string, { afterLine, maxBytes, isOver }: Omit<PageRequest, "from">): string[] {
  const lines = text.split(/(?<=\n)/).filter((line) => line !== "" && (line.endsWith("\n") || isOver));
  const page: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(afterLine)) {
    if (page.length > 0 && bytes + line.length > maxBytes) break;
    page.push(line.slice(0, maxBytes));
    bytes += line.length;
    if (bytes >= maxBytes) break;
  }
  return page;
}

test("[G4] pages of any output are its lines, whatever the pieces, and going on from a page's end gives the next", async () => {
  const cases = fc.record({
    lines: fc.array(fc.stringMatching(/^[a-z]{0,12}$/), { maxLength: 30 }),
    isEnded: fc.boolean(),
    sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
    afterLine: fc.integer({ min: 0, max: 32 }),
    maxBytes: fc.integer({ min: 1, max: 60 }),
    isOver: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ lines, isEnded, sizes, afterLine, maxBytes, isOver }) => {
      const text = lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : "");
      const file = inPieces(Buffer.from(text), sizes);
      const request = { afterLine, maxBytes, isOver };

      const page = await readLinePage(file, { ...request, from: START });
      const next = { ...request, afterLine: page.end.line };
      const onwards = await readLinePage(file, { ...next, from: page.end });

      expect(textOf(page)).toBe(expectedPage(text, request).join(""));
      expect(onwards).toEqual(await readLinePage(file, { ...next, from: START }));
      expect(page.count > 0 && !page.hasMore && onwards.count > 0).toBe(false);
    }),
    { numRuns: runs },
  );
});

test("[G4] control characters and overwritten parts of a line are left out", () => {
  const bytes = Buffer.from("\u001b[31mred\u001b[0m\r\n10%\r50%\r100%\nbell\u0007\ttab\nplain é\n");

  expect(plainText(bytes)).toBe("red\n100%\nbell\ttab\nplain é\n");
});

function textOf({ bytes }: LinePage): string {
  return Buffer.from(bytes).toString();
}
