import { showControls } from "../files/visible-text.js";
import type { LineView } from "./line-view.js";
import { fromBytes } from "./replacements.js";
import type { Replacement } from "./replacements.js";

/** Unchanged lines that are shown around a change. */
const CONTEXT_LINES = 3;

export interface UnifiedDiff {
  /** Each with its newline. */
  readonly lines: readonly string[];
  readonly added: number;
  readonly removed: number;
}

/** Lines of the old text that a change takes out, and what comes in their place. */
interface Change {
  /** The first of them, from 1; where none is taken out, the line before which it comes. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** The change of a file as people know it. What differs in line ends alone does not show. */
export function makeDiff(name: string, view: LineView, replacements: readonly Replacement[]): UnifiedDiff {
  const changes = groupByLines(view, replacements).flatMap((group) => makeChange(view, group));
  const hunks = joinNear(changes);
  const lines = [`--- ${name}\n`, `+++ ${name}\n`];
  let shift = 0;
  for (const hunk of hunks) {
    lines.push(...printHunk(view, hunk, shift));
    shift += hunk.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0);
  }
  return { lines, added: sum(changes, "added"), removed: sum(changes, "removed") };
}

function sum(changes: readonly Change[], side: "added" | "removed"): number {
  return changes.reduce((total, change) => total + change[side].length, 0);
}

/** Replacements that touch the same line change it together. The line behind one counts: it may be joined to. */
function groupByLines(view: LineView, replacements: readonly Replacement[]): Replacement[][] {
  const groups: Replacement[][] = [];
  let last = -1;
  for (const replacement of replacements) {
    const group = groups.at(-1);
    if (group !== undefined && view.lineAt(replacement.from) <= last) group.push(replacement);
    else groups.push([replacement]);
    last = view.lineAt(replacement.to);
  }
  return groups;
}

function makeChange(view: LineView, group: readonly Replacement[]): Change[] {
  const first = view.lineAt(group[0]?.from ?? 0);
  const start = view.lineStart(first);
  const end = view.lineStart(view.lineAt(group.at(-1)?.to ?? 0) + 1);
  const parts: string[] = [];
  let at = start;
  for (const { from, to, raw } of group) {
    parts.push(view.text.slice(at, from), raw.replaceAll("\r\n", "\n"));
    at = to;
  }
  parts.push(view.text.slice(at, end));
  const removed = splitLines(view.text.slice(start, end));
  const added = splitLines(parts.join(""));
  let same = 0;
  while (same < removed.length && same < added.length && removed[same] === added[same]) same += 1;
  let tail = 0;
  const most = Math.min(removed.length, added.length) - same;
  while (tail < most && removed.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  const change = {
    line: first + same,
    removed: removed.slice(same, removed.length - tail),
    added: added.slice(same, added.length - tail),
  };
  return change.removed.length + change.added.length === 0 ? [] : [change];
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function joinNear(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = [];
  let end = -Infinity;
  for (const change of changes) {
    const hunk = hunks.at(-1);
    if (hunk !== undefined && change.line - end <= 2 * CONTEXT_LINES) hunk.push(change);
    else hunks.push([change]);
    end = change.line + change.removed.length;
  }
  return hunks;
}

function printHunk(view: LineView, hunk: readonly Change[], shift: number): string[] {
  const first = Math.max(1, (hunk[0]?.line ?? 1) - CONTEXT_LINES);
  const lines: string[] = [];
  let at = first;
  for (const { line, removed, added } of hunk) {
    lines.push(...readLines(view, at, line).flatMap((text) => print(" ", text)));
    lines.push(...removed.flatMap((text) => print("-", text)), ...added.flatMap((text) => print("+", text)));
    at = line + removed.length;
  }
  const rest = readLines(view, at, at + CONTEXT_LINES);
  lines.push(...rest.flatMap((text) => print(" ", text)));
  const oldCount = at + rest.length - first;
  const newCount = oldCount + sum(hunk, "added") - sum(hunk, "removed");
  return [`@@ -${range(first, oldCount)} +${range(first + shift, newCount)} @@\n`, ...lines];
}

/** An empty range stands behind the line that it names. */
function range(first: number, count: number): string {
  return count === 1 ? `${first}` : `${count === 0 ? first - 1 : first},${count}`;
}

/** The lines from one up to another. */
function readLines(view: LineView, from: number, to: number): string[] {
  return splitLines(view.text.slice(view.lineStart(from), view.lineStart(to)));
}

function print(mark: string, line: string): string[] {
  const text = `${mark}${showControls(fromBytes(line))}`;
  return line.endsWith("\n") ? [text] : [`${text}\n`, "\\ No newline at end of file\n"];
}
