import { link, open, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { SessionId } from "../../../protocol/index.js";
import type { CliContext } from "../../context.js";
import { EXIT_OK, exitCodeOfSignal } from "../../exit-codes.js";
import { CliError, describeFailure } from "../../failure.js";
import { openStore } from "../../session/store.js";
import { readSession } from "../../show/session-contents.js";
import { openByteOutput } from "../../terminal/byte-output.js";
import { writeJson } from "./json.js";
import { writeMarkdown } from "./markdown.js";

export type ExportFormat = "markdown" | "json";

export interface ExportRequest {
  readonly session: SessionId;
  readonly format: ExportFormat;
  /** Standard output, where none is named. */
  readonly output?: string;
}

/** Writes a session as one document, piece by piece, and gives the exit code. */
export async function exportSession(request: ExportRequest, context: CliContext): Promise<number> {
  const contents = await readSession(openStore(context), request.session);
  const pieces = request.format === "json" ? writeJson(contents) : writeMarkdown(contents);
  if (request.output === undefined) return writeToOutput(pieces, context);
  await writeToFile(pieces, resolve(context.cwd, request.output), context.random);
  return EXIT_OK;
}

async function writeToOutput(pieces: Iterable<string>, context: CliContext): Promise<number> {
  const output = openByteOutput(context.stdout);
  for (const piece of pieces) {
    await output.write(Buffer.from(piece));
    if (output.isReaderGone) return exitCodeOfSignal("SIGPIPE");
  }
  await output.end();
  return EXIT_OK;
}

/** Writes beside the file's name, which it is given once it is whole: a kill leaves no half of a session under it. */
async function writeToFile(pieces: Iterable<string>, path: string, random: () => number): Promise<void> {
  const beside = join(dirname(path), `.${basename(path).slice(0, 200)}.${random().toString(36).slice(2)}.new`);
  try {
    // A session may hold secrets.
    const file = await open(beside, "wx", 0o600);
    try {
      for (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    // What somebody made meanwhile is theirs, and a link replaces nothing.
    await link(beside, path);
  } catch (cause) {
    throw cannotWrite(path, cause);
  } finally {
    await rm(beside, { force: true });
  }
}

function cannotWrite(path: string, cause: unknown): CliError {
  const { code, message } = describeFailure(cause);
  const reason = code === "EEXIST" ? "it exists already; name another file" : message;
  return new CliError("output_failed", `${path} cannot be written: ${reason}`, { cause });
}
