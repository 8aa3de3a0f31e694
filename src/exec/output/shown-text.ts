import type { ShellOutputBlock } from "./view.js";

/** What made a window leave something out; `null` while nothing was. */
export type CutBy = "bytes" | "lines" | null;

/** A block of shown text, and the place of its first code unit in the whole of the text. */
export interface ShownBlock {
  readonly text: string;
  readonly from: number;
}

/** What a window shows. */
export interface ShownText {
  /** One block, or both ends where the middle is left out. */
  readonly blocks: readonly [text: ShownBlock, tail?: ShownBlock];
  readonly cutBy: CutBy;
  /** UTF-8 bytes of the line of which only a part is shown. */
  readonly partialLineBytes: number | undefined;
}

/** One block dropped `drop` code units at its front and grew by `text`. */
export interface BlockChange {
  readonly kind: "moved";
  readonly drop: number;
  readonly text: string;
}

/** The changed blocks, or `replaced` where telling the whole text is what is left. */
export type TextChanges = "replaced" | readonly { readonly block: ShellOutputBlock; readonly change: BlockChange }[];

/** What leads from one text to a later one. Of the whole text everything before `unchangedTo` is still as it was. */
export function changesBetween(before: ShownText, after: ShownText, unchangedTo: number): TextChanges {
  if (before.blocks.length !== after.blocks.length) return "replaced";
  const changes: { block: ShellOutputBlock; change: BlockChange }[] = [];
  for (const block of [0, 1] as const) {
    const [told, shown] = [before.blocks[block], after.blocks[block]];
    if (told === undefined || shown === undefined) continue;
    const change = changeOf(told, shown, unchangedTo);
    if (change === "replaced") return "replaced";
    if (change.drop > 0 || change.text !== "") changes.push({ block, change });
  }
  // An update changes one block; between two of them the view would be one that never was.
  return changes.length > 1 ? "replaced" : changes;
}

function changeOf(told: ShownBlock, shown: ShownBlock, unchangedTo: number): BlockChange | "replaced" {
  const toldEnd = told.from + told.text.length;
  if (told.text === "") return { kind: "moved", drop: 0, text: shown.text };
  if (unchangedTo < toldEnd || shown.from < told.from || shown.from + shown.text.length < toldEnd) return "replaced";
  if (shown.from >= toldEnd) return "replaced";
  return { kind: "moved", drop: shown.from - told.from, text: shown.text.slice(toldEnd - shown.from) };
}
