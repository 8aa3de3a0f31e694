/** Lines of a file that are compared at most, and characters of each. */
const MAX_LINES = 5_000;
const MAX_LINE_UNITS = 200;
/** How alike a line must be to be worth naming, from 0 to 1. */
const LEAST_LIKENESS = 0.5;

/** A sentence about what comes closest to a text that is not there. Both have LF for every line end. */
export function describeMiss(content: string, wanted: string): string {
  const lines = content.split("\n", MAX_LINES);
  const asked = trimBlank(wanted.split("\n"));
  const [first] = asked;
  if (first === undefined) return "It is white space alone; give the text around it.";
  const spaced = findSpaced(lines, asked);
  if (spaced !== -1) {
    const last = spaced + asked.length - 1;
    const where = asked.length === 1 ? `Line ${spaced + 1} differs` : `Lines ${spaced + 1}-${last + 1} differ`;
    return `${where} from it only in white space: ${quote(lines[spaced] ?? "")}`;
  }
  const begun = findBegun(lines, asked);
  if (begun !== undefined) return describeDifference(lines, asked, begun);
  const closest = findClosest(lines, first);
  if (closest === -1) return "No line is like its first one; read the file to see what it says.";
  return `Line ${closest + 1} is the most like its first one: ${quote(lines[closest] ?? "")}`;
}

function trimBlank(lines: readonly string[]): string[] {
  const from = lines.findIndex((line) => line.trim() !== "");
  const to = lines.findLastIndex((line) => line.trim() !== "");
  return from === -1 ? [] : lines.slice(from, to + 1);
}

/** Where all lines are there but for their white space; its first and last line may be parts of lines. */
function findSpaced(lines: readonly string[], asked: readonly string[]): number {
  const bare = lines.map(removeSpace);
  const bareAsked = asked.map(removeSpace);
  const [only = ""] = bareAsked;
  if (bareAsked.length === 1) return bare.findIndex((line) => line.includes(only));
  return bare.findIndex((line, at) => line.endsWith(only) && countSame(bare, bareAsked, at) === bareAsked.length);
}

interface Begun {
  readonly at: number;
  readonly same: number;
}

/** Where the first lines are as asked for, and the most of them. */
function findBegun(lines: readonly string[], asked: readonly string[]): Begun | undefined {
  const [bare, bareAsked] = [lines.map(removeSpace), asked.map(removeSpace)];
  let best: Begun | undefined;
  for (const at of bare.keys()) {
    const same = countSame(bare, bareAsked, at);
    if (same > (best?.same ?? 0)) best = { at, same };
  }
  return best;
}

/** How many lines from `at` on are as asked for; what comes before the first and behind the last is not asked for. */
function countSame(lines: readonly string[], asked: readonly string[], at: number): number {
  const last = asked.length - 1;
  const different = asked.findIndex((text, index) => {
    const line = lines[at + index];
    if (line === undefined) return true;
    if (index === 0) return !line.endsWith(text);
    return index === last ? !line.startsWith(text) : line !== text;
  });
  return different === -1 ? asked.length : different;
}

function describeDifference(lines: readonly string[], asked: readonly string[], { at, same }: Begun): string {
  const is = lines[at + same];
  const wanted = quote(asked[same] ?? "");
  const begin = `It begins at line ${at + 1}, but`;
  if (is === undefined) return `${begin} the file ends where it goes on with ${wanted}`;
  return `${begin} line ${at + same + 1} is ${quote(is)} where it says ${wanted}`;
}

function findClosest(lines: readonly string[], wanted: string): number {
  const asked = countPairs(wanted);
  let best = -1;
  let bestLikeness = LEAST_LIKENESS;
  for (const [index, line] of lines.entries()) {
    const likeness = compare(asked, countPairs(line));
    if (likeness > bestLikeness) [best, bestLikeness] = [index, likeness];
  }
  return best;
}

interface Pairs {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

/** Neighbouring characters of a line, white space left out. */
function countPairs(line: string): Pairs {
  const bare = removeSpace(line.slice(0, MAX_LINE_UNITS));
  const counts = new Map<string, number>();
  for (let at = 1; at < bare.length; at += 1) {
    const pair = bare.slice(at - 1, at + 1);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return { counts, total: Math.max(0, bare.length - 1) };
}

/** The share of pairs that two lines have in common (Dice's coefficient). */
function compare(a: Pairs, b: Pairs): number {
  if (a.total === 0 || b.total === 0) return 0;
  let common = 0;
  for (const [pair, count] of a.counts) common += Math.min(count, b.counts.get(pair) ?? 0);
  return (2 * common) / (a.total + b.total);
}

function removeSpace(line: string): string {
  return line.replace(/\s+/g, "");
}

function quote(line: string): string {
  const short = line.slice(0, MAX_LINE_UNITS).toWellFormed();
  return JSON.stringify(short.length < line.length ? `${short}…` : short);
}
