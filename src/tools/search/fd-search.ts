import type { ExecContext, ExecutionEnv } from "../../exec/index.js";
import type { FoundPath, PathSearch } from "./paths-search.js";
import { comparePaths } from "./path-order.js";
import { ERROR_MARK, runProgram } from "./program-output.js";
import type { Programs } from "./programs.js";
import type { SearchGaps } from "./search-gaps.js";

/** Lines of fd's output that are looked at: it does not sort, so the first paths may come last. */
const MAX_LINES = 5_000_000;

/** Searches with the env's fd, told to go by what {@link searchPaths} goes by; `undefined` where it could not run. */
export async function searchWithFd(
  env: ExecutionEnv,
  { fd, isFdFree }: Programs,
  search: PathSearch,
  gaps: SearchGaps,
  context: ExecContext & { readonly signal: AbortSignal },
): Promise<readonly FoundPath[] | undefined> {
  if (fd === undefined) return undefined;
  const words = [fd, ...makeOptions(search, isFdFree)];
  const run = { words, cwd: search.folder, maxLines: MAX_LINES, isNulSeparated: true };
  const output = await runProgram(env, run, context);
  if (output === undefined) return undefined;
  try {
    const first = new FirstPaths(search.maxPaths);
    for await (const line of output.lines(context.signal)) {
      if (line[0] === ERROR_MARK) noteError(line, gaps);
      else if (line.length > 0) takePath(line, search, first);
    }
    return first.take();
  } finally {
    await output.dispose();
  }
}

function makeOptions({ type, nameEnd }: PathSearch, isFdFree: boolean): string[] {
  return [
    "--hidden",
    "--case-sensitive",
    "--color=never",
    "--exclude=.git",
    "--print0",
    ...(isFdFree ? ["--no-require-git"] : []),
    ...(type === "any" ? [] : ["--type", type === "file" ? "f" : "d"]),
    ...(nameEnd === undefined ? ["."] : ["--glob", `*${nameEnd}`]),
    "./",
  ];
}

function takePath(line: Uint8Array, { accepts }: PathSearch, first: FirstPaths): void {
  const printed = Buffer.from(line).toString().replaceAll("\0", "\n");
  if (!printed.startsWith("./")) return;
  const isFolder = printed.endsWith("/");
  const path = printed.slice(2, isFolder ? -1 : undefined);
  if (accepts(path, isFolder)) first.add({ path, isFolder });
}

/** Keeps the first of many paths. */
class FirstPaths {
  readonly #most: number;
  #kept: FoundPath[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(path: FoundPath): void {
    this.#kept.push(path);
    if (this.#kept.length >= 4 * this.#most + 1_000) this.#kept = [...this.take()];
  }

  take(): readonly FoundPath[] {
    return this.#kept.sort((a, b) => comparePaths(a.path, b.path)).slice(0, this.#most);
  }
}

const UNREADABLE = /^\x01\[fd error\]: (?:\.\/)?(.*): [^:]* \(os error \d+\)$/s;

function noteError(line: Uint8Array, gaps: SearchGaps): void {
  const path = UNREADABLE.exec(Buffer.from(line).toString())?.[1];
  if (path !== undefined) gaps.unread(path);
}
