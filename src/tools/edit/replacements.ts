import { ToolError } from "../errors.js";
import { encodeText } from "../files/encode-text.js";
import type { LineView } from "./line-view.js";
import { describeMiss } from "./near-miss.js";

/** One edit as it is asked for. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean | undefined;
}

/** A range of a view's text and what comes in its place, with line ends, one character per byte. */
export interface Replacement {
  /** Which edit asked for it, from 0. */
  readonly edit: number;
  readonly from: number;
  readonly to: number;
  readonly raw: string;
}

/** Line numbers that an error names at most. */
const MAX_NAMED_LINES = 10;

/**
 * What the edits replace, each found in the text as it is before all of them, in the order of the text. `name` is the
 * file's, for errors. @throws {ToolError} where one does not fit, and then none does.
 */
export function findReplacements(view: LineView, edits: readonly TextEdit[], name: string): readonly Replacement[] {
  const found = edits
    .flatMap((edit, index) => findEdit(view, edit, index, `${name}: ${nameEdit(index, edits.length)}`))
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  checkApart(view, found, name, edits.length);
  if (found.every(({ from, to, raw }) => view.raw(from, to) === raw)) {
    throw new ToolError("nothing_changed", `${name}: the new text is what is there already; the file is as it was`);
  }
  return found;
}

/** The whole content once the ranges are replaced. */
export function applyReplacements(view: LineView, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, raw } of replacements) {
    parts.push(view.raw(at, from), raw);
    at = to;
  }
  parts.push(view.raw(at, view.text.length));
  return parts.join("");
}

function findEdit(
  view: LineView,
  { oldText, newText, replaceAll = false }: TextEdit,
  edit: number,
  name: string,
): Replacement[] {
  const wanted = toBytes(encodeText(`${name}.oldText`, oldText)).replaceAll("\r\n", "\n");
  const added = toBytes(encodeText(`${name}.newText`, newText));
  const starts = replaceAll ? findAll(view.text, wanted) : findOnly(view, wanted, name);
  if (starts.length === 0) {
    throw new ToolError(
      "text_not_found",
      `${name}: its oldText is not in the file. ${describeMiss(fromBytes(view.text), oldText.replaceAll("\r\n", "\n"))}`,
    );
  }
  return starts.map((from) => {
    const to = from + wanted.length;
    return { edit, from, to, raw: view.withEnds(added, from, to) };
  });
}

function findAll(text: string, wanted: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) starts.push(at);
  return starts;
}

/** Also occurrences that share characters make it unclear which one is meant. */
function findOnly(view: LineView, wanted: string, name: string): number[] {
  const { text } = view;
  const first = text.indexOf(wanted);
  if (first === -1) return [];
  if (text.indexOf(wanted, first + 1) === -1) return [first];
  const starts: number[] = [];
  for (let at = first; at !== -1 && starts.length <= MAX_NAMED_LINES; at = text.indexOf(wanted, at + 1)) {
    starts.push(at);
  }
  const lines = starts.slice(0, MAX_NAMED_LINES).map((start) => view.lineAt(start));
  const more = starts.length > MAX_NAMED_LINES ? " and more" : "";
  throw new ToolError(
    "text_not_unique",
    `${name}: its oldText is in the file more than once, from lines ${lines.join(", ")}${more}. ` +
      "Give more of the text around the one that is meant, or set replaceAll",
  );
}

function checkApart(view: LineView, found: readonly Replacement[], name: string, edits: number): void {
  for (const [index, next] of found.entries()) {
    const before = found[index - 1];
    if (before === undefined || before.to <= next.from) continue;
    throw new ToolError(
      "edits_overlap",
      `${name}: ${nameEdit(before.edit, edits)} and ${nameEdit(next.edit, edits)} both change line ${view.lineAt(next.from)}; ` +
        "each is found in the file as it is before all of them, so make them one edit",
    );
  }
}

function nameEdit(index: number, edits: number): string {
  return edits === 1 ? "the edit" : `edits[${index}]`;
}

function toBytes(text: Buffer): string {
  return text.toString("latin1");
}

export function fromBytes(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}
