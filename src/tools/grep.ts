import { z } from "zod";
import { getOrThrow, resolveCaps } from "../exec/index.js";
import type { EnvFiles, ShellOutputLimits } from "../exec/index.js";
import type { AgentHarnessTool, ExecutionToolContext } from "./contract.js";
import { ToolError } from "./errors.js";
import { unlessAborted } from "./files/aborts.js";
import { detectKind, KIND_BYTES } from "./files/file-kind.js";
import { showName } from "./files/visible-text.js";
import type { LineSearch } from "./search/file-matches.js";
import { createGlobFilter } from "./search/glob.js";
import { GrepReport } from "./search/grep-report.js";
import { LinePattern } from "./search/line-pattern.js";
import { searchLines } from "./search/own-line-search.js";
import { SearchPrograms } from "./search/programs.js";
import { readRipgrep, searchWithRipgrep } from "./search/ripgrep-search.js";
import { SearchGaps } from "./search/search-gaps.js";
import { findNameEnd, findPlace } from "./search/search-place.js";

const DEFAULT_MATCHES = 200;
const MAX_MATCHES = 2_000;
const MAX_CONTEXT = 20;

export const grepSchema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(1_000)
    .describe(
      "A regular expression in RE2's syntax, found within lines: no look-around, no back-references; \\d, \\w, \\s and \\b are ASCII.",
    ),
  path: z.string().min(1).optional().describe("The file or folder to search. Default the working folder."),
  glob: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      "Only files whose name matches, or whose path below the searched folder does, if it has a slash: *.ts, src/**/*.{js,ts}.",
    ),
  ignoreCase: z.boolean().optional().describe("Default false."),
  literal: z.boolean().optional().describe("Whether pattern is the text itself. Default false."),
  context: z
    .int()
    .min(0)
    .max(MAX_CONTEXT)
    .optional()
    .describe("Lines to show before and behind each match. Default 0."),
  limit: z.int().min(1).max(MAX_MATCHES).optional().describe(`Most matching lines. Default ${DEFAULT_MATCHES}.`),
});

export interface GrepToolDetails {
  matches: number;
  files: number;
  hasMore: boolean;
  /** What searched: a program of the env, or this tool itself. */
  by: "ripgrep" | "own";
}

export interface SearchToolOptions {
  /** What bounds the text of a call; the defaults where unset. The start is kept. */
  readonly output?: Omit<ShellOutputLimits, "retain"> | undefined;
  /** Knows which programs an env has; shared by the tools that search. `"none"`: none is used. Default the tool's own. */
  readonly programs?: SearchPrograms | "none" | undefined;
}

/** Finds lines in the files of the call's env: with its ripgrep, else by itself; the output is the same. */
export function createGrepTool(
  options: SearchToolOptions = {},
): AgentHarnessTool<ExecutionToolContext, typeof grepSchema, GrepToolDetails> {
  const { programs = new SearchPrograms() } = options;
  const output = resolveCaps({ ...options.output, retain: "head" });
  return {
    name: "grep",
    description:
      "Finds lines by a regular expression in a file or in all files below a folder, sorted by path. Leaves out what " +
      ".gitignore says, .git and binary files; does not follow links.",
    parameters: grepSchema,
    output,
    replay: "safe",

    async execute(_id, params, signal, out, context) {
      const { path = ".", context: around = 0, limit = DEFAULT_MATCHES, literal = false, ignoreCase = false } = params;
      const { env } = context;
      const pattern = new LinePattern(params.pattern, { isLiteral: literal, ignoresCase: ignoreCase });
      const filter = params.glob === undefined ? undefined : createGlobFilter(params.glob);
      const place = await findPlace(env.files, path, signal);
      if (place.file !== undefined) await checkText(env.files, path, signal);
      const search: LineSearch = {
        ...place,
        pattern,
        context: around,
        // One more tells that there are more.
        maxMatches: limit + 1,
        isFiltered: place.file === undefined && filter !== undefined,
        // A file that is asked for by name needs no glob to be chosen.
        accepts: (file) => place.file !== undefined || (filter?.matches(file, false) ?? true),
        nameEnd: place.file === undefined ? findNameEnd(params.glob) : undefined,
      };
      const gaps = new SearchGaps(place.show);
      const report = new GrepReport({ limits: output, maxMatches: limit, hasContext: around > 0, show: place.show });
      const hasProgram = programs !== "none" && (await programs.find(env, context)).hasRipgrep;
      const printed = hasProgram ? await searchWithRipgrep(env, search, context) : undefined;
      try {
        const found =
          printed === undefined
            ? searchLines(env.files, search, gaps, signal)
            : readRipgrep(printed, search, gaps, signal);
        for await (const file of found) if (!report.take(file)) break;
      } finally {
        await printed?.dispose();
      }
      const { matches, files, hasMore } = report;
      out.replace(report.text);
      out.details = { matches, files, hasMore, by: printed === undefined ? "own" : "ripgrep" };
      const said = [...report.describe(showName(path)), ...gaps.describe()];
      if (said.length > 0) out.notice(`[${said.join(" ")}]`);
    },
  };
}

/** A file that is asked for by name is not left out in silence. */
async function checkText(files: EnvFiles, path: string, signal: AbortSignal): Promise<void> {
  const { bytes } = getOrThrow(await unlessAborted(signal, files.read(path, { maxBytes: KIND_BYTES })));
  if (!bytes.includes(0)) return;
  const content = detectKind(bytes);
  const what = content.kind === "binary" ? content.name : "binary data";
  throw new ToolError(
    "search_failed",
    `${showName(path)} is ${what}, which has no lines to search. Use a command such as strings`,
  );
}
