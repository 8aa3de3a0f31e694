import { join } from "node:path/posix";
import { ExecError } from "../../exec/index.js";
import type { EnvFiles } from "../../exec/index.js";
import { LineCutter } from "../files/file-lines.js";
import type { FileLine } from "../files/file-lines.js";
import { readPieces } from "../files/file-pieces.js";
import { decodeLine, makeFoundLine } from "./file-matches.js";
import type { FileMatches, FoundLine, LineSearch } from "./file-matches.js";
import { mapAhead } from "./map-ahead.js";
import type { SearchGaps } from "./search-gaps.js";
import { walkTree } from "./tree-walk.js";

/** Files that are read at a time. */
const FILES_AT_A_TIME = 8;
/** Bytes of a line that are searched. */
const MAX_LINE_BYTES = 1_048_576;

/** Searches with nothing but the env's files. */
export async function* searchLines(
  files: EnvFiles,
  search: LineSearch,
  gaps: SearchGaps,
  signal: AbortSignal,
): AsyncGenerator<FileMatches, void> {
  const one = async (path: string): Promise<FileMatches> => searchFile(files, path, search, gaps, signal);
  if (search.file !== undefined) yield one(search.file);
  else yield* mapAhead(listFiles(files, search, gaps, signal), FILES_AT_A_TIME, one);
}

async function* listFiles(
  files: EnvFiles,
  { folder, accepts }: LineSearch,
  gaps: SearchGaps,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  for await (const { path, kind } of walkTree(files, folder, gaps, signal)) {
    if (kind === "file" && accepts(path)) yield path;
  }
}

async function searchFile(
  files: EnvFiles,
  path: string,
  search: LineSearch,
  gaps: SearchGaps,
  signal: AbortSignal,
): Promise<FileMatches> {
  const finder = new LineFinder(search);
  try {
    for await (const { bytes } of readPieces(files, join(search.folder, path), signal)) {
      if (bytes.includes(0)) return { path, lines: [] };
      if (!finder.take(bytes)) break;
    }
  } catch (error) {
    if (!(error instanceof ExecError) || error.code === "link_lost" || error.code === "env_closed") throw error;
    gaps.unread(path);
    return { path, lines: [] };
  }
  gaps.longLines += finder.longLines;
  return { path, lines: finder.finish() };
}

/** Finds the lines of one file. */
class LineFinder {
  longLines = 0;
  readonly #search: LineSearch;
  readonly #cutter = new LineCutter(MAX_LINE_BYTES);
  readonly #found: FoundLine[] = [];
  /** The lines before, as many as a match would show. */
  readonly #before: FileLine[] = [];
  #matches = 0;
  /** Lines that the last match still shows behind it. */
  #behind = 0;

  constructor(search: LineSearch) {
    this.#search = search;
  }

  /** Whether there is need for more. */
  take(piece: Uint8Array): boolean {
    this.#cutter.cut(piece, (line) => this.#takeLine(line));
    return this.#matches < this.#search.maxMatches;
  }

  finish(): readonly FoundLine[] {
    if (this.#matches >= this.#search.maxMatches) return this.#found;
    const last = this.#cutter.finish();
    if (last !== undefined) this.#takeLine(last);
    return this.#found;
  }

  #takeLine(line: FileLine): boolean {
    const { pattern, context, maxMatches } = this.#search;
    const text = decodeLine(line.start);
    if (line.start.length < line.bytes) this.longLines += 1;
    if (pattern.matches(text)) {
      for (const before of this.#before.splice(0)) this.#show(before, decodeLine(before.start), false);
      this.#show(line, text, true);
      this.#matches += 1;
      this.#behind = context;
    } else if (this.#behind > 0) {
      this.#behind -= 1;
      this.#show(line, text, false);
    } else if (context > 0) {
      this.#before.push(line);
      if (this.#before.length > context) this.#before.shift();
    }
    return this.#matches < maxMatches;
  }

  #show({ number, bytes }: FileLine, line: string, isMatch: boolean): void {
    this.#found.push(makeFoundLine(this.#search.pattern, { number, line, bytes, isMatch }));
  }
}
