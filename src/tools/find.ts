import { z } from "zod";
import { ExecError, resolveCaps } from "../exec/index.js";
import type { EnvFiles } from "../exec/index.js";
import type { AgentHarnessTool, ExecutionToolContext } from "./contract.js";
import { unlessAborted } from "./files/aborts.js";
import { ShownLines } from "./files/shown-lines.js";
import { showName } from "./files/visible-text.js";
import type { SearchToolOptions } from "./grep.js";
import { searchWithFd } from "./search/fd-search.js";
import { createGlobFilter } from "./search/glob.js";
import { isInRepository, readLevelsAbove, readListedLevel } from "./search/ignore-levels.js";
import { searchPaths } from "./search/own-path-search.js";
import type { FoundPath, PathSearch } from "./search/paths-search.js";
import { SearchPrograms } from "./search/programs.js";
import { SearchGaps } from "./search/search-gaps.js";
import { findNameEnd, findPlace } from "./search/search-place.js";

const DEFAULT_PATHS = 1_000;
const MAX_PATHS = 10_000;

export const findSchema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(1_000)
    .describe(
      "A glob for names, or, if it has a slash, for paths below the searched folder: *.ts, src/**/test?.{js,ts}.",
    ),
  path: z.string().min(1).optional().describe("The folder to search. Default the working folder."),
  type: z.enum(["file", "folder", "any"]).optional().describe("Default any."),
  limit: z.int().min(1).max(MAX_PATHS).optional().describe(`Most paths. Default ${DEFAULT_PATHS}.`),
});

export interface FindToolDetails {
  paths: number;
  hasMore: boolean;
  /** What searched: a program of the env, or this tool itself. */
  by: "fd" | "own";
}

/** Finds files and folders of the call's env by name: with its fd, else by itself; the output is the same. */
export function createFindTool(
  options: SearchToolOptions = {},
): AgentHarnessTool<ExecutionToolContext, typeof findSchema, FindToolDetails> {
  const { programs = new SearchPrograms() } = options;
  const output = resolveCaps({ ...options.output, retain: "head" });
  return {
    name: "find",
    description:
      "Finds files and folders below a folder by a glob, sorted by path; folders end with a slash. Leaves out what " +
      ".gitignore says and .git; does not follow links.",
    parameters: findSchema,
    output,
    replay: "safe",

    async execute(_id, { pattern, path = ".", type = "any", limit = DEFAULT_PATHS }, signal, out, context) {
      const { env } = context;
      const filter = createGlobFilter(pattern);
      const place = await findPlace(env.files, path, signal);
      if (place.file !== undefined)
        throw new ExecError("not_a_folder", `${showName(path)} is a file; search its folder`);
      const search: PathSearch = {
        folder: place.folder,
        type,
        maxPaths: limit + 1,
        accepts: (found, isFolder) => filter.matches(found, isFolder),
        nameEnd: findNameEnd(pattern),
      };
      const gaps = new SearchGaps(place.show);
      const byFd = programs === "none" ? undefined : await tryFd(programs, search, gaps, context);
      const found = byFd ?? (await searchPaths(env.files, search, gaps, signal));
      const shown = new ShownLines(output);
      found.slice(0, limit).every((one) => shown.add(printPath(one, place.show)));
      const hasMore = shown.isFull || found.length > limit;
      out.replace(shown.text);
      out.details = { paths: shown.count, hasMore, by: byFd === undefined ? "own" : "fd" };
      const more = `The first ${shown.count} shown, there are more: narrow pattern or path, or raise limit.`;
      const none =
        found.length === 0 ? [`Nothing matches in ${path === "." ? "the working folder" : showName(path)}.`] : [];
      const said = [...(hasMore ? [more] : none), ...gaps.describe()];
      if (said.length > 0) out.notice(`[${said.join(" ")}]`);
    },
  };
}

/** Outside of a repository an fd that obeys .gitignore only in one would find more. */
async function tryFd(
  known: SearchPrograms,
  search: PathSearch,
  gaps: SearchGaps,
  context: ExecutionToolContext,
): Promise<readonly FoundPath[] | undefined> {
  const { env } = context;
  const programs = await known.find(env, context);
  if (programs.fd === undefined) return undefined;
  const isObeyed = programs.isFdFree || (await unlessAborted(context.signal, hasRepository(env.files, search.folder)));
  if (!isObeyed) return undefined;
  return searchWithFd(env, programs, search, gaps, context);
}

async function hasRepository(files: EnvFiles, folder: string): Promise<boolean> {
  const above = await readLevelsAbove(files, folder);
  const listing = await files.list(folder);
  return isInRepository(await readListedLevel(files, folder, above, listing.ok ? listing.value.entries : []));
}

function printPath({ path, isFolder }: FoundPath, show: (path: string) => string): string {
  return `${showName(`${show(path)}${isFolder ? "/" : ""}`)}\n`;
}
