import { expect, test } from "vitest";
import { cutLines, findTailStart } from "./line-range.js";
import type { ByteSource, LineRange } from "./line-range.js";

const texts = ["", "\n", "a", "a\n", "a\nb\nc\n", "a\nb\nc", "\n\n\n", "one\n\nthree\nfour é\n"];

/** What `sed -n A,Bp` and `tail -n N` give, by the plainest means. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== "");
}

async function cut(text: string, range: LineRange, pieceBytes: number): Promise<string> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes)
      yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
  }
  const parts: Uint8Array[] = [];
  for await (const part of cutLines(pieces(), range)) parts.push(part);
  return Buffer.concat(parts).toString();
}

test.each(texts)("lines of %j are cut as they are counted, in pieces of any size", async (text) => {
  for (const pieceBytes of [1, 2, 3, 100]) {
    for (let first = 1; first <= 5; first += 1) {
      for (const last of [1, 2, 3, 4, 5, Infinity].filter((line) => line >= first)) {
        const expected = linesOf(text)
          .slice(first - 1, last)
          .join("");
        expect(await cut(text, { first, last }, pieceBytes), `${first}-${last} by ${pieceBytes}`).toBe(expected);
      }
    }
  }
});

test.each(texts)("the last lines of %j are found from its end", async (text) => {
  const bytes = Buffer.from(text);
  const source: ByteSource = { length: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
  for (let count = 1; count <= 5; count += 1) {
    const start = await findTailStart(source, count);
    expect(bytes.subarray(start).toString(), `${count}`).toBe(linesOf(text).slice(-count).join(""));
  }
});

test("a tail over many blocks reads no more of them than it needs", async () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => `line ${index + 1}\n`).join(""));
  let readBytes = 0;
  const source: ByteSource = {
    length: bytes.length,
    read: async (start, end) => {
      readBytes += end - start;
      return bytes.subarray(start, end);
    },
  };

  const start = await findTailStart(source, 10_000);

  expect(bytes.subarray(start).toString().split("\n")[0]).toBe("line 190001");
  expect(readBytes).toBeLessThan(4 * 65_536);
});
