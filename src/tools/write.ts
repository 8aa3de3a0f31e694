import { dirname } from "node:path/posix";
import { z } from "zod";
import { getOrThrow, MAX_FILE_BYTES } from "../exec/index.js";
import type { AgentHarnessTool, ExecutionToolContext } from "./contract.js";
import { checkAborted } from "./files/aborts.js";
import { count } from "./files/counts.js";
import { encodeText } from "./files/encode-text.js";
import { FileTurns, statIfThere } from "./files/file-turns.js";
import { showName } from "./files/visible-text.js";
import { linesOf, measureText } from "./output/text-size.js";

export const writeSchema = z.strictObject({
  path: z.string().min(1).describe("The file, absolute or relative to the working folder; its folders are made."),
  content: z.string().describe("The whole new content."),
});

export interface WriteToolDetails {
  /** Absolute, with no link in it. */
  path: string;
  bytes: number;
  lines: number;
  /** Whether there was no such file before. */
  isNew: boolean;
}

export interface WriteToolOptions {
  /** Shared by the tools that change files. Default the tool's own. */
  readonly turns?: FileTurns | undefined;
}

/** Makes or replaces a file of the call's env: whoever reads it meanwhile has the old content or the new, whole. */
export function createWriteTool(
  options: WriteToolOptions = {},
): AgentHarnessTool<ExecutionToolContext, typeof writeSchema, WriteToolDetails> {
  const { turns = new FileTurns() } = options;
  return {
    name: "write",
    description:
      "Makes a file with this content, or replaces one whole; use edit to change parts of one. " +
      `Folders on the way are made, a file's mode is kept. At most ${MAX_FILE_BYTES} bytes.`,
    parameters: writeSchema,

    async execute(_id, { path, content }, signal, out, { env }) {
      const bytes = encodeText("content", content);
      await turns.take(env.files, path, signal, async () => {
        checkAborted(signal);
        const before = await statIfThere(env.files, path);
        if (before === undefined) getOrThrow(await env.files.makeFolder(dirname(path)));
        checkAborted(signal);
        const info = getOrThrow(await env.files.write(path, bytes));
        const lines = linesOf(measureText(content));
        out.details = { path: info.path, bytes: bytes.length, lines, isNew: before === undefined };
        const done = before === undefined ? "Made" : "Replaced";
        const was = before === undefined ? "" : `, before ${count(before.bytes, "byte")}`;
        out.write(`${done} ${showName(path)}: ${count(bytes.length, "byte")}, ${count(lines, "line")}${was}\n`);
      });
    },
  };
}
