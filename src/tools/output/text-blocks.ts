import { appendText, slideText } from "../../delta/index.js";
import type { Tracker } from "../../delta/index.js";
import type { ShellOutputBlock } from "../../exec/index.js";
import type { TextBlock, ToolOutputState } from "../../protocol/index.js";

/** The text blocks of a tracked state; every edit is stated, so that its ops cost what it changes. */
export class TextBlocks {
  readonly #tracker: Tracker<ToolOutputState>;

  constructor(tracker: Tracker<ToolOutputState>) {
    this.#tracker = tracker;
  }

  read(block: ShellOutputBlock): string {
    return this.#find(block)?.text ?? "";
  }

  get hasTail(): boolean {
    return this.#find(1) !== undefined;
  }

  /** The text of every block. */
  all(): string[] {
    return this.hasTail ? [this.read(0), this.read(1)] : [this.read(0)];
  }

  slide(block: ShellOutputBlock, drop: number, text: string): void {
    const target = this.#find(block);
    if (target === undefined) this.#assign(block, text);
    else if (drop > 0) slideText(target, "text", drop, text);
    else if (text !== "") appendText(target, "text", text);
  }

  /** Plain mutation: what the texts have in common with those before costs nothing. */
  state(text: string, tail: string | undefined): void {
    this.#assign(0, text);
    if (tail !== undefined) this.#assign(1, tail);
    else if (this.hasTail) this.#tracker.state.content.splice(1, 1);
  }

  #assign(block: ShellOutputBlock, text: string): void {
    const target = this.#find(block);
    if (target === undefined) this.#tracker.state.content.splice(block, 0, { type: "text", text });
    else target.text = text;
  }

  #find(block: ShellOutputBlock): TextBlock | undefined {
    const found = this.#tracker.state.content[block];
    return found?.type === "text" ? found : undefined;
  }
}
