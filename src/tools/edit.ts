import { z } from "zod";
import { getOrThrow, MAX_FILE_BYTES, resolveCaps } from "../exec/index.js";
import type { EnvFiles, FileBytes, FileInfo, ShellOutputLimits } from "../exec/index.js";
import type { AgentHarnessTool, ExecutionToolContext, ToolOutput } from "./contract.js";
import { LineView } from "./edit/line-view.js";
import { applyReplacements, findReplacements } from "./edit/replacements.js";
import type { Replacement, TextEdit } from "./edit/replacements.js";
import { makeDiff } from "./edit/unified-diff.js";
import { ToolError } from "./errors.js";
import { checkAborted, unlessAborted } from "./files/aborts.js";
import { count } from "./files/counts.js";
import { FileTurns } from "./files/file-turns.js";
import { ShownLines } from "./files/shown-lines.js";
import { showName } from "./files/visible-text.js";

/** Most edits of one call. */
const MAX_EDITS = 200;

export const editSchema = z.strictObject({
  path: z.string().min(1).describe("The file, absolute or relative to the working folder."),
  edits: z
    .array(
      z.strictObject({
        oldText: z
          .string()
          .min(1)
          .describe("Text that is in the file exactly so, white space included; once, unless replaceAll is set."),
        newText: z.string().describe("What comes in its place."),
        replaceAll: z.boolean().optional().describe("Replaces it wherever it is. Default false."),
      }),
    )
    .min(1)
    .max(MAX_EDITS)
    .describe(
      "All of them are made or none. Each is found in the file as it is before the call; they may not overlap.",
    ),
});

export interface EditToolDetails {
  /** Absolute, with no link in it. */
  path: string;
  replacements: number;
  /** Lines of the diff. */
  addedLines: number;
  removedLines: number;
}

export interface EditToolOptions {
  /** What bounds the diff that is shown; the defaults where unset. */
  readonly output?: Omit<ShellOutputLimits, "retain"> | undefined;
  /** Shared by the tools that change files. Default the tool's own. */
  readonly turns?: FileTurns | undefined;
}

/** How often a file is read anew because others changed it meanwhile. */
const MAX_ATTEMPTS = 4;

/** Replaces exact texts in a file of the call's env, all or none, and shows the difference. */
export function createEditTool(
  options: EditToolOptions = {},
): AgentHarnessTool<ExecutionToolContext, typeof editSchema, EditToolDetails> {
  const { turns = new FileTurns() } = options;
  const output = resolveCaps({ ...options.output, retain: "head" });
  return {
    name: "edit",
    description:
      "Replaces exact texts in a file, all of them or none, and shows the difference. Lines may be given with LF: the file " +
      "keeps its own line ends, its byte order mark and its mode.",
    parameters: editSchema,
    output,

    async execute(_id, { path, edits }, signal, out, { env }) {
      const done = await turns.take(env.files, path, signal, () => changeFile(env.files, path, edits, signal));
      showChange(out, showName(path), done, new ShownLines(output));
    },
  };
}

interface Changed {
  readonly info: FileInfo;
  readonly view: LineView;
  readonly replacements: readonly Replacement[];
}

/** Writes only what was made of the file as it is: if somebody else changed it, the edits are found anew. */
async function changeFile(
  files: EnvFiles,
  path: string,
  edits: readonly TextEdit[],
  signal: AbortSignal,
): Promise<Changed> {
  for (let attempt = 1; ; attempt += 1) {
    const before = getOrThrow(await unlessAborted(signal, files.read(path)));
    checkSize(path, before);
    const view = new LineView(toBuffer(before.bytes).toString("latin1"));
    const replacements = findReplacements(view, edits, showName(path));
    const bytes = Buffer.from(applyReplacements(view, replacements), "latin1");
    checkAborted(signal);
    const written = await files.write(path, bytes, { expect: before.info.version });
    if (written.ok) return { info: written.value, view, replacements };
    if (written.error.code !== "file_changed" || attempt === MAX_ATTEMPTS) throw written.error;
  }
}

function checkSize(path: string, { info, bytes }: FileBytes): void {
  if (info.bytes <= bytes.length) return;
  throw new ToolError(
    "text_too_large",
    `${showName(path)} has ${info.bytes} bytes; at most ${MAX_FILE_BYTES} can be edited. Use a command such as sed`,
  );
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function showChange(
  out: ToolOutput<EditToolDetails>,
  name: string,
  { info, view, replacements }: Changed,
  shown: ShownLines,
): void {
  const diff = makeDiff(name, view, replacements);
  diff.lines.every((line) => shown.add(line));
  out.details = {
    path: info.path,
    replacements: replacements.length,
    addedLines: diff.added,
    removedLines: diff.removed,
  };
  out.replace(shown.text);
  const part = shown.isFull ? ` The first ${count(shown.count, "line")} of the difference shown.` : "";
  out.notice(
    `[${count(replacements.length, "replacement")} in ${name}: ${count(diff.added, "line")} added, ${diff.removed} removed.${part}]`,
  );
}
