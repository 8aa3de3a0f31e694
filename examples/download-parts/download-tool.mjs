import { open } from "node:fs/promises";
import { z } from "zod";

/** Bytes of one request. */
export const PART_BYTES = 65_536;

const parameters = z.strictObject({
  url: z.url().describe("What to download"),
  path: z.string().describe("The file to write"),
});

/**
 * A tool that downloads a file in parts. It notes each part once that part is on disk, so a run after a crash fetches only
 * what is missing: the notes that it is given again say what is there.
 *
 * `replay: "safe"` is true because a part that was fetched and not noted may be fetched and written once more, to the same place.
 */
export function createDownloadTool() {
  return {
    name: "download",
    description: "Downloads a file; goes on where it was after an interruption.",
    parameters,
    replay: /** @type {const} */ ("safe"),

    /**
     * @param {string} _id
     * @param {z.output<typeof parameters>} params
     * @param {AbortSignal} signal
     * @param {import("../../src/tools/index.js").ToolOutput<unknown>} out
     * @param {import("../../src/tools/index.js").ExecutionToolContext} context
     */
    async execute(_id, { url, path }, signal, out, context) {
      const { bytes } = await context.memo("size", async () => ({ bytes: await askSize(url, signal) }));
      await (await open(path, "a")).close();
      const file = await open(path, "r+");
      try {
        for (let start = 0; start < bytes; start += PART_BYTES) {
          const end = Math.min(start + PART_BYTES, bytes);
          await context.memo(`part-${start}`, async () => {
            await file.write(await fetchPart(url, start, end, signal), 0, end - start, start);
            await file.sync();
            return true;
          });
          out.replace(`${end} of ${bytes} bytes\n`);
        }
      } finally {
        await file.close();
      }
      out.replace(`${path}: ${bytes} bytes\n`);
    },
  };
}

/** @param {string} url @param {AbortSignal} signal */
async function askSize(url, signal) {
  const answer = await fetch(url, { method: "HEAD", signal });
  const bytes = Number(answer.headers.get("content-length"));
  if (answer.ok && Number.isInteger(bytes)) return bytes;
  throw new Error(`${url} does not say how large it is (status ${answer.status}).`);
}

/** @param {string} url @param {number} start @param {number} end @param {AbortSignal} signal */
async function fetchPart(url, start, end, signal) {
  const answer = await fetch(url, { headers: { range: `bytes=${start}-${end - 1}` }, signal });
  const part = new Uint8Array(await answer.arrayBuffer());
  if (answer.status === 206 && part.length === end - start) return part;
  throw new Error(`${url} gave ${part.length} bytes from ${start} (status ${answer.status}), not ${end - start}.`);
}
