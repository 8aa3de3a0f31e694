import type { Page } from "playwright-core";
import type { ChatRow, ChatState } from "../../../src/facet/index.js";
import { displayText } from "../../../web/format/display-text.js";

/** A row in words, as a person reads it. */
export interface ShownRow {
  readonly label: string;
  readonly state: string;
  readonly text: string;
  readonly progress: string;
  readonly notice: string;
}

/** What the page shows. */
export async function readShown(page: Page): Promise<ShownRow[]> {
  return await page.evaluate<ShownRow[]>(`[...document.querySelectorAll(".row")].map((row) => {
    const text = (selector) => [...row.querySelectorAll(selector)].map((e) => e.textContent).join("|");
    return {
      label: text(".command") || row.querySelector(".row-kind").textContent,
      state: row.querySelector(".state")?.lastChild.textContent ?? "done",
      text: text(".prose") || text(".output-text"),
      progress: text(".progress"),
      notice: text(".notice"),
    };
  })`);
}

/** What it has to show of a host's state. */
export function expectShown(state: ChatState): ShownRow[] {
  return state.rows.filter(isShown).map((row) => {
    if (row.type === "user") return { ...nothing, label: "prompt", text: displayText(row.text) };
    if (row.type === "assistant") {
      const texts = (row.message?.content ?? []).flatMap((part) => (part.type === "toolCall" ? [] : [part.text]));
      return { ...nothing, label: "answer", state: row.state, text: displayText(joined(texts)) };
    }
    if (row.type === "summary") return { ...nothing, label: "summary", text: displayText(row.text) };
    const blocks = (row.output?.content ?? []).flatMap((block) => (block.type === "text" ? [block] : []));
    return {
      label: displayText(`$ ${(row.args as { command: string }).command}`),
      state: row.state,
      text: displayText(joined(blocks.filter(({ notice }) => notice !== true).map(({ text }) => text))),
      progress: displayText(row.output?.progress ?? ""),
      notice: displayText(joined(blocks.filter(({ notice }) => notice === true).map(({ text }) => text))),
    };
  });
}

const nothing = { state: "done", text: "", progress: "", notice: "" };

/** An answer that said nothing and is done has no row of its own. */
function isShown(row: ChatRow): boolean {
  if (row.type !== "assistant" || row.state !== "done") return true;
  const hasText = (row.message?.content ?? []).some((part) => part.type !== "toolCall" && part.text !== "");
  return hasText || row.stopReason === "maxTokens";
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("|");
}
