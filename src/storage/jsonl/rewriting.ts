import type { Sequence } from "../contract.js";
import { ScopeIndex } from "../scope-index.js";
import type { Write } from "../writes.js";
import type { FileLayer } from "./file-layer.js";
import { withTexts } from "./history.js";
import type { LogFile } from "./log-file.js";
import type { LogHeader } from "./header.js";
import type { RecordDraft, Span } from "./record.js";
import { replaceLog } from "./replacement.js";
import type { TextSource } from "./text-source.js";

export interface RewrittenLog {
  readonly log: LogFile;
  readonly index: ScopeIndex<Span>;
}

/** What a file keeps besides what is alive in it: a main log the retirements that still tell something, and its epoch. */
export type Mark =
  | { readonly sequence: Sequence; readonly retired: string }
  | { readonly sequence: Sequence; readonly epoch: number };

/** Replaces a file by one that holds only what is alive, under the old sequences. The caller closes the old one. */
export async function rewriteLog(
  files: FileLayer,
  log: LogFile,
  header: LogHeader,
  living: ScopeIndex<Span>,
  marks: readonly Mark[] = [],
): Promise<RewrittenLog> {
  const index = new ScopeIndex<Span>();
  const batches = loadInPortions(groupByCommit(living, marks), log.texts);
  const replacement = await replaceLog(files, log.path, header, batches, ({ sequence, writes }) => {
    for (const write of writes) index.apply(write, sequence);
  });
  return { log: replacement, index };
}

/** More bytes than a file needs that holds nothing dead. */
export function boundLiving({ bytes, count }: ScopeIndex<Span>): number {
  return bytes + (count + 1) * LINE_BOUND;
}

/** A line's own fields, with one write and its tag. */
const LINE_BOUND = 256;

/** A commit whose texts lie in a file. */
export interface PlacedCommit {
  readonly sequence: Sequence;
  readonly writes: readonly Write<Span>[];
  readonly epoch?: number;
}

/** The commits that are left of a file. */
function groupByCommit(living: ScopeIndex<Span>, marks: readonly Mark[]): PlacedCommit[] {
  const commits: (PlacedCommit & { readonly writes: Write<Span>[] })[] = [];
  for (const { sequence, write } of living.livingWrites()) {
    const last = commits.at(-1);
    if (last?.sequence === sequence) last.writes.push(write);
    else commits.push({ sequence, writes: [write] });
  }
  const bySequence = new Map(commits.map((commit) => [commit.sequence, commit]));
  for (const mark of marks) {
    if ("epoch" in mark) {
      commits.push({ ...mark, writes: [] });
      continue;
    }
    const write = { kind: "retire" as const, scopeId: mark.retired };
    const commit = bySequence.get(mark.sequence) ?? { sequence: mark.sequence, writes: [] };
    if (!bySequence.has(mark.sequence)) commits.push(commit);
    bySequence.set(mark.sequence, commit);
    commit.writes.push(write);
  }
  return commits.sort((a, b) => a.sequence - b.sequence);
}

/** A long history is never in memory as a whole. */
export async function* loadInPortions(
  commits: readonly PlacedCommit[],
  texts: TextSource,
): AsyncGenerator<readonly RecordDraft[]> {
  for (let start = 0, end = 0; start < commits.length; start = end) {
    for (let bytes = 0; end < commits.length && bytes < PORTION_BYTES; end += 1) bytes += sizeOf(commits[end]);
    yield await withTexts(commits.slice(start, end), (spans) => texts.load(spans));
  }
}

function sizeOf(commit: PlacedCommit | undefined): number {
  return (commit?.writes ?? []).reduce((sum, write) => sum + ("text" in write ? write.text.bytes : 0), LINE_BOUND);
}

const PORTION_BYTES = 8 * 1024 * 1024;
