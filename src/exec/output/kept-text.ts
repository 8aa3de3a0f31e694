import { HeadWindow } from "./head-window.js";
import type { TextSink } from "./line-merger.js";
import { splitCaps } from "./limits.js";
import type { Caps } from "./limits.js";
import { TailWindow } from "./tail-window.js";
import type { ShellOutputBlock } from "./view.js";
import type { BlockChange, CutBy, Window } from "./window.js";

/** What is kept of the text, as one block or, where the middle was dropped, as two. */
export interface KeptText extends TextSink {
  readonly text: string;
  readonly tail: string | undefined;
  readonly cutBy: CutBy;
  readonly partialLineBytes: number | undefined;
  /** The changes of each block since the last call, or `replaced` where a block came to be. */
  takeChanges(): "replaced" | readonly { readonly block: ShellOutputBlock; readonly change: BlockChange }[];
}

export function createKeptText(caps: Caps): KeptText {
  if (caps.retain === "both") return new KeptEnds(caps);
  return new KeptBlock(caps.retain === "tail" ? new TailWindow(caps) : new HeadWindow(caps));
}

class KeptBlock implements KeptText {
  readonly tail = undefined;
  readonly #window: Window;

  constructor(window: Window) {
    this.#window = window;
  }

  get text(): string {
    return this.#window.text;
  }

  get cutBy(): CutBy {
    return this.#window.cutBy;
  }

  get partialLineBytes(): number | undefined {
    return this.#window.partialLineBytes;
  }

  append(text: string): void {
    this.#window.append(text);
  }

  dropOpenLine(): void {
    this.#window.dropOpenLine();
  }

  takeChanges(): "replaced" | readonly { readonly block: ShellOutputBlock; readonly change: BlockChange }[] {
    const change = this.#window.takeChange();
    return change.kind === "replaced" ? "replaced" : [{ block: 0, change }];
  }
}

/** Both ends. Until the caps are exceeded the text is whole and one block; what is appended then goes to both windows. */
class KeptEnds implements KeptText {
  readonly #whole: HeadWindow;
  readonly #head: HeadWindow;
  readonly #tail: TailWindow;
  #cutBy: CutBy = null;
  #isSplitTold = false;

  constructor(caps: Caps) {
    const { head, tail } = splitCaps(caps);
    this.#whole = new HeadWindow(caps);
    this.#head = new HeadWindow(head);
    this.#tail = new TailWindow(tail);
  }

  get text(): string {
    return this.#isSplit ? this.#head.text : this.#whole.text;
  }

  get tail(): string | undefined {
    return this.#isSplit ? this.#tail.text : undefined;
  }

  get cutBy(): CutBy {
    return this.#cutBy;
  }

  get partialLineBytes(): number | undefined {
    return this.#isSplit ? (this.#tail.partialLineBytes ?? this.#head.partialLineBytes) : undefined;
  }

  append(text: string): void {
    this.#head.append(text);
    this.#tail.append(text);
    if (!this.#isSplit) this.#whole.append(text);
    this.#cutBy = this.#isSplit ? (this.#tail.cutBy ?? this.#whole.cutBy) : this.#whole.cutBy;
  }

  dropOpenLine(): void {
    this.#head.dropOpenLine();
    this.#tail.dropOpenLine();
    this.#whole.dropOpenLine();
  }

  takeChanges(): "replaced" | readonly { readonly block: ShellOutputBlock; readonly change: BlockChange }[] {
    const changes = {
      whole: this.#whole.takeChange(),
      head: this.#head.takeChange(),
      tail: this.#tail.takeChange(),
    };
    if (!this.#isSplit) return changes.whole.kind === "replaced" ? "replaced" : [{ block: 0, change: changes.whole }];
    const isNew = !this.#isSplitTold;
    this.#isSplitTold = true;
    if (isNew || changes.head.kind === "replaced" || changes.tail.kind === "replaced") return "replaced";
    return [
      { block: 0, change: changes.head },
      { block: 1, change: changes.tail },
    ];
  }

  get #isSplit(): boolean {
    return this.#whole.cutBy !== null;
  }
}
