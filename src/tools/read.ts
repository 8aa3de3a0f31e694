import { z } from "zod";
import { getOrThrow, resolveCaps } from "../exec/index.js";
import type { EnvFiles, FileBytes, FileInfo, ShellOutputLimits } from "../exec/index.js";
import type { AgentHarnessTool, ExecutionToolContext, ToolOutput } from "./contract.js";
import { ToolError } from "./errors.js";
import { unlessAborted } from "./files/aborts.js";
import { count } from "./files/counts.js";
import { detectKind } from "./files/file-kind.js";
import { readPieces } from "./files/file-pieces.js";
import { showName } from "./files/visible-text.js";
import { MAX_IMAGE_BYTES } from "./output/images.js";
import { describeRead } from "./read/read-notice.js";
import { ReadWindow } from "./read/read-window.js";

export const readSchema = z.strictObject({
  path: z.string().min(1).describe("The file, absolute or relative to the working folder."),
  offset: z.int().min(1).optional().describe("The first line to show, from 1. Default 1."),
  limit: z.int().min(1).optional().describe("Most lines to show. Default as many as fit."),
});

/** `totalLines` is absent where the file is too large to be counted to its end, and with an image. */
export interface ReadToolDetails {
  /** Absolute, with no link in it. */
  path: string;
  bytes: number;
  firstLine?: number;
  lastLine?: number;
  totalLines?: number;
  mediaType?: string;
}

export interface ReadToolOptions {
  /** What bounds the text of a call; the defaults where unset. The start is kept. */
  readonly output?: Omit<ShellOutputLimits, "retain"> | undefined;
}

/** Bytes that are read on, once the window is full, to tell how many lines there are: 64 MiB. */
export const MAX_COUNTED_BYTES = 67_108_864;

/** Shows a text file of the call's env, a window of lines at a time, or an image. */
export function createReadTool(
  options: ReadToolOptions = {},
): AgentHarnessTool<ExecutionToolContext, typeof readSchema, ReadToolDetails> {
  const output = resolveCaps({ ...options.output, retain: "head" });
  return {
    name: "read",
    description:
      "Shows a text file, or gives an image (PNG, JPEG, GIF, WebP). " +
      `At most ${output.maxBytes} bytes and ${output.maxLines} lines are shown; the end says how many there are and how to go on. ` +
      "Lines are shown without their carriage returns, and control characters as their pictures; both are told.",
    parameters: readSchema,
    output,
    replay: "safe",

    async execute(_id, { path, offset = 1, limit = Infinity }, signal, out, { env }) {
      const window = new ReadWindow({ offset, limit }, output);
      let info: FileInfo | undefined;
      let isChanged = false;
      let counted = 0;
      for await (const piece of readPieces(env.files, path, signal)) {
        if (info === undefined && (await showOther(env.files, path, piece, signal, out))) return;
        info ??= piece.info;
        isChanged ||= piece.info.version !== info.version;
        if (window.isFull) counted += piece.bytes.length;
        window.take(piece.bytes);
        if (counted >= MAX_COUNTED_BYTES) break;
      }
      const isCounted = counted < MAX_COUNTED_BYTES;
      if (isCounted) window.finish();
      if (info === undefined) return;
      checkRange(path, offset, window.totalLines);
      showText(out, { path, offset, window, info, isCounted, isChanged });
    },
  };
}

/** Shows what is no text, by its first bytes; whether it did. */
async function showOther(
  files: EnvFiles,
  path: string,
  { info, bytes }: FileBytes,
  signal: AbortSignal,
  out: ToolOutput<ReadToolDetails>,
): Promise<boolean> {
  const content = detectKind(bytes);
  if (content.kind === "text") return false;
  const size = Math.max(info.bytes, bytes.length);
  out.details = { path: info.path, bytes: size };
  const name = showName(path);
  if (content.kind === "binary") {
    out.notice(
      `[${name} is ${content.name}, ${count(size, "byte")}, and not shown. A command such as file, strings or xxd tells more.]`,
    );
    return true;
  }
  if (size > MAX_IMAGE_BYTES) {
    throw new ToolError(
      "image_too_large",
      `${name} is an image of ${size} bytes; at most ${MAX_IMAGE_BYTES} can be shown. Make a smaller copy with a command.`,
    );
  }
  const whole = getOrThrow(await unlessAborted(signal, files.read(path, { maxBytes: MAX_IMAGE_BYTES })));
  out.image({
    type: "image",
    mediaType: content.mediaType,
    data: Buffer.from(whole.bytes).toString("base64"),
  });
  out.details = { path: info.path, bytes: whole.bytes.length, mediaType: content.mediaType };
  out.notice(`[${name}: ${content.mediaType}, ${count(whole.bytes.length, "byte")}]`);
  return true;
}

function checkRange(path: string, offset: number, totalLines: number): void {
  if (offset === 1 || offset <= totalLines) return;
  throw new ToolError(
    "beyond_end",
    `offset ${offset} is beyond the end of ${showName(path)}, which has ${count(totalLines, "line")}`,
  );
}

interface ReadText {
  readonly path: string;
  readonly offset: number;
  readonly window: ReadWindow;
  readonly info: FileInfo;
  readonly isCounted: boolean;
  readonly isChanged: boolean;
}

function showText(out: ToolOutput<ReadToolDetails>, read: ReadText): void {
  const { offset, window, info, isCounted } = read;
  // Stated, not appended, so that a call which runs again shows nothing twice.
  out.replace(window.text);
  out.details = {
    path: info.path,
    bytes: info.bytes,
    ...(window.lines > 0 && { firstLine: offset, lastLine: offset + window.lines - 1 }),
    ...(isCounted && { totalLines: window.totalLines }),
  };
  const notice = describeRead({ ...read, name: showName(read.path) });
  if (notice !== undefined) out.notice(notice);
}
