import { z } from "zod";
import type { ExecContext, ExecutionEnv } from "../../exec/index.js";
import { decodeLine, makeFoundLine } from "./file-matches.js";
import type { FileMatches, FoundLine, LineSearch } from "./file-matches.js";
import { ERROR_MARK, runProgram } from "./program-output.js";
import type { ProgramOutput } from "./program-output.js";
import { toRipgrepPattern } from "./ripgrep-pattern.js";
import type { SearchGaps } from "./search-gaps.js";

/** Lines of ripgrep's output that are looked at, at least and at most. */
const LEAST_LINES = 20_000;
const MAX_LINES = 5_000_000;
/** Lines of its output about a file besides those that it found. */
const LINES_PER_FILE = 2;

/**
 * Searches with the env's ripgrep, told to go by what {@link searchLines} goes by. `undefined` where it could not run, or
 * did not take the pattern.
 */
export async function searchWithRipgrep(
  env: ExecutionEnv,
  search: LineSearch,
  context: ExecContext & { readonly signal: AbortSignal },
): Promise<ProgramOutput | undefined> {
  const { folder, file, maxMatches } = search;
  // A binary file that matched is reported and then left out, so there has to be room for more than the matches; and where
  // only we know which files are wanted, there is no saying for how much more.
  const isChosenHere = search.isFiltered && search.nameEnd === undefined;
  const enough = Math.max(LEAST_LINES, 4 * maxMatches * (2 * search.context + 1 + LINES_PER_FILE));
  const maxLines = isChosenHere ? MAX_LINES : enough;
  const words = ["rg", ...makeOptions(search), "--", file === undefined ? "./" : `./${file}`];
  const output = await runProgram(env, { words, cwd: folder, maxLines }, context);
  if (output === undefined) return undefined;
  for await (const line of output.lines(context.signal)) {
    if (line[0] !== ERROR_MARK) return output;
    break;
  }
  // Not even a summary: it refused to begin.
  await output.dispose();
  return undefined;
}

function makeOptions({ pattern, context, maxMatches, nameEnd }: LineSearch): string[] {
  const { isLiteral, ignoresCase } = pattern.options;
  const counts = ["--max-count", `${maxMatches}`, "--context", `${context}`];
  const kind = nameEnd === undefined ? [] : ["--type-add", `wanted:*${nameEnd}`, "--type", "wanted"];
  const how = [ignoresCase ? "--ignore-case" : "--case-sensitive", ...(isLiteral ? ["--fixed-strings"] : [])];
  return [...ALWAYS, ...counts, ...how, ...kind, "--regexp", isLiteral ? pattern.text : toRipgrepPattern(pattern.text)];
}

/** Whatever the user's own settings say, so that the results are those of our own search. */
const ALWAYS = (
  "--no-config --json --sort path --no-mmap --hidden --no-require-git --no-ignore-global --no-ignore-messages " +
  "--crlf --encoding none --glob !.git"
).split(" ");

const data = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("begin"), data: z.object({ path: data }) }),
  z.object({ type: z.literal("end"), data: z.object({ binary_offset: z.number().nullable() }) }),
  z.object({ type: z.literal("match"), data: z.object({ lines: data, line_number: z.number() }) }),
  z.object({ type: z.literal("context"), data: z.object({ lines: data, line_number: z.number() }) }),
  z.object({ type: z.literal("summary") }),
]);

/** What ripgrep found, file by file. */
export async function* readRipgrep(
  output: ProgramOutput,
  search: LineSearch,
  gaps: SearchGaps,
  signal: AbortSignal,
): AsyncGenerator<FileMatches, void> {
  let path = "";
  let lines: FoundLine[] = [];
  let isWhole = false;
  const onLongLine = (): void => void (gaps.unshownLines += 1);
  for await (const line of output.lines(signal, onLongLine)) {
    const said = line[0] === ERROR_MARK ? undefined : parseMessage(line);
    isWhole ||= said?.type === "summary";
    if (said === undefined) noteError(line, gaps);
    else if (said.type === "begin") {
      path = toBytes(said.data.path).toString().replace(/^\.\//, "");
      lines = [];
    } else if (said.type === "match" || said.type === "context") {
      lines.push(toFoundLine(search, said.data.line_number, toBytes(said.data.lines), said.type === "match"));
    } else if (said.type === "end") {
      if (said.data.binary_offset === null && search.accepts(path)) yield { path, lines };
      lines = [];
    }
  }
  if (isWhole) return;
  // The output was cut within a file. Whoever still asks for more did not get enough.
  if (lines.length > 0 && search.accepts(path)) yield { path, lines };
  gaps.isCutShort = true;
}

function parseMessage(line: Uint8Array): z.infer<typeof message> | undefined {
  try {
    return message.safeParse(JSON.parse(Buffer.from(line).toString())).data;
  } catch {
    return undefined;
  }
}

function toBytes(value: z.infer<typeof data>): Buffer {
  return "text" in value ? Buffer.from(value.text) : Buffer.from(value.bytes, "base64");
}

function toFoundLine({ pattern }: LineSearch, number: number, raw: Buffer, isMatch: boolean): FoundLine {
  const bytes = withoutEnd(raw);
  return makeFoundLine(pattern, { number, line: decodeLine(bytes), bytes: bytes.length, isMatch });
}

function withoutEnd(line: Buffer): Buffer {
  if (line.at(-1) !== NEWLINE) return line;
  return line.subarray(0, line.at(-2) === RETURN ? -2 : -1);
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

const UNREADABLE = /^\x01(?:rg: )?(?:\.\/)?(.*): [^:]* \(os error \d+\)$/s;

function noteError(line: Uint8Array, gaps: SearchGaps): void {
  const path = UNREADABLE.exec(Buffer.from(line).toString())?.[1];
  if (path !== undefined) gaps.unread(path);
}
