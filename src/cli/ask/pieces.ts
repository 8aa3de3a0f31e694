import type { ChatAssistantRow, ChatRow, ChatState, ChatToolRow } from "../../facet/index.js";
import { endLine } from "../output/end-line.js";

/** Something of a conversation that will not change any more, and is to be said once. Text ends with a newline. */
export type Piece =
  | { readonly kind: "answer" | "thought"; readonly text: string }
  | { readonly kind: "said"; readonly text: string; readonly isOpening: boolean }
  | { readonly kind: "call"; readonly row: ChatToolRow }
  /** A call about which someone is asked. */
  | { readonly kind: "question"; readonly row: ChatToolRow }
  | { readonly kind: "remark"; readonly text: string };

type MessagePart = { readonly kind: "answer" | "thought"; readonly text: string };

/**
 * Gives every piece of a conversation once, from successive states of its chat, in the order in which the rows began. States
 * may be missed: what was given up meanwhile is counted.
 */
export class PieceReader {
  /** Positions of the transcript that were told. */
  readonly #told = new Set<number>();
  readonly #asked = new Set<string>();
  #earlier: number;
  #isOpened = false;
  /** Of the message that is open, what was told of each part. */
  #message: string[] = [];

  /** With what was there before the conversation as told. */
  constructor(start: ChatState | undefined, isTold: (row: ChatRow) => boolean = () => true) {
    this.#earlier = start?.earlier ?? 0;
    for (const row of start?.rows ?? []) if (row.position !== undefined && isTold(row)) this.#told.add(row.position);
  }

  next(state: ChatState): Piece[] {
    const pieces = this.#skip(state);
    let isNext = true;
    for (const row of state.rows) {
      if (row.position !== undefined && this.#told.has(row.position)) continue;
      if (row.type === "tool") pieces.push(...this.#ask(row));
      // What began later is told later, though it may have ended before.
      if (isNext) pieces.push(...this.#read(row));
      if (row.position === undefined) isNext = false;
    }
    return pieces;
  }

  /** What is under way of the message that is open: the line, or part of one, that was not told yet. */
  pending(state: ChatState): MessagePart | undefined {
    const row = state.rows.find((found) => found.type === "assistant" && found.position === undefined);
    if (row?.type !== "assistant") return undefined;
    const parts = partsOf(row);
    const last = parts.at(-1);
    const text = last?.text.slice(this.#message[parts.length - 1]?.length ?? 0) ?? "";
    return last === undefined || text === "" ? undefined : { kind: last.kind, text };
  }

  /** Rows that no viewer holds any more, and that were not told. */
  #skip({ earlier }: ChatState): Piece[] {
    let skipped = 0;
    for (; this.#earlier < earlier; this.#earlier += 1) if (!this.#told.has(this.#earlier)) skipped += 1;
    return skipped === 0 ? [] : [{ kind: "remark", text: `[… ${skipped} items not shown]\n` }];
  }

  #ask(row: ChatToolRow): Piece[] {
    if (row.pendingApproval === undefined || this.#asked.has(row.toolCallId)) return [];
    this.#asked.add(row.toolCallId);
    return [{ kind: "question", row }];
  }

  #read(row: ChatRow): Piece[] {
    if (row.position !== undefined) this.#told.add(row.position);
    if (row.type === "assistant") return this.#readMessage(row);
    if (row.position === undefined) return [];
    if (row.type === "tool") return [{ kind: "call", row }];
    if (row.type === "summary") return [{ kind: "remark", text: "[what came before was summed up for the model]\n" }];
    const isOpening = !this.#isOpened;
    this.#isOpened = true;
    return [{ kind: "said", text: endLine(row.text), isOpening }];
  }

  #readMessage(row: ChatAssistantRow): Piece[] {
    const isOver = row.position !== undefined;
    const parts = partsOf(row);
    const pieces: Piece[] = [];
    // A model that failed and is asked again begins anew.
    if (this.#message.some((told, index) => !(parts[index]?.text.startsWith(told) ?? false))) {
      if (!isOver && parts.length === 0) return [];
      this.#message = [];
      pieces.push({ kind: "remark", text: "[the model begins its answer anew]\n" });
    }
    parts.forEach(({ kind, text }, index) => {
      const told = this.#message[index] ?? "";
      const isWhole = isOver || index < parts.length - 1;
      const end = isWhole ? text.length : text.lastIndexOf("\n") + 1;
      if (end <= told.length) return;
      this.#message[index] = text.slice(0, end);
      const fresh = text.slice(told.length, end);
      pieces.push({ kind, text: isWhole ? endLine(fresh) : fresh });
    });
    if (row.withheld === true && isOver)
      pieces.push({ kind: "remark", text: "[the answer is too long to show here]\n" });
    if (isOver) this.#message = [];
    return pieces;
  }
}

function partsOf({ message }: ChatAssistantRow): MessagePart[] {
  return (message?.content ?? []).flatMap((part) =>
    part.type === "toolCall" || part.text === ""
      ? []
      : [{ kind: part.type === "text" ? ("answer" as const) : ("thought" as const), text: part.text }],
  );
}
