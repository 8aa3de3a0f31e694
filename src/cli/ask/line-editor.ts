import type { Colours } from "../terminal/colours.js";
import { printableLine } from "../terminal/printable.js";
import { fitLine } from "../terminal/fit.js";
import stringWidth from "string-width";

/** A key as `node:readline` tells it. */
export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/** What a key came to mean beyond the line itself. */
export type Pressed =
  | { readonly type: "line"; readonly text: string }
  /** Ctrl-D where nothing is typed. */
  | { readonly type: "end" }
  | { readonly type: "signal"; readonly signal: "SIGINT" | "SIGQUIT" | "SIGTSTP" };

/** Most of a line, in UTF-16 code units; what is typed beyond is not taken. */
const MAX_LINE_LENGTH = 65_536;
const MAX_HISTORY = 100;
/** Where there are no colours to show it by. */
const CURSOR = "▏";
const SIGNALS = { c: "SIGINT", z: "SIGTSTP", "\\": "SIGQUIT" } as const;
const clusters = new Intl.Segmenter();

/** One line that a person types, with the keys that shells have for it. What is pasted may hold several. */
export class LineEditor {
  #before = "";
  #after = "";
  #isPasting = false;
  readonly #history: string[] = [];
  #at = 0;

  get text(): string {
    return `${this.#before}${this.#after}`;
  }

  /** Puts a line back that was not taken. */
  restore(text: string): void {
    if (this.text === "") this.#before = text;
  }

  press(typed: string | undefined, key: Key): Pressed | undefined {
    const { name, ctrl, meta } = key;
    if (name === "paste-start" || name === "paste-end") {
      this.#isPasting = name === "paste-start";
      return undefined;
    }
    if (name === "return" || name === "enter") {
      if (!this.#isPasting && meta !== true) return this.#submit();
      this.#insert("\n");
      return undefined;
    }
    if (ctrl === true) return this.#control(name ?? "");
    if (this.#move(name, meta === true)) return undefined;
    if (typed !== undefined && meta !== true) this.#insert(typed);
    return undefined;
  }

  /** The row, with the cursor in it, and as much of the text around it as fits. */
  draw(prompt: string, hint: string, columns: number, colours: Colours): string {
    const room = columns - stringWidth(prompt) - 1;
    const cursor = colours.isColorSupported ? colours.inverse(" ") : CURSOR;
    if (this.text === "") return `${prompt}${cursor}${colours.dim(fitLine(hint, room))}`;
    const before = lastOf(showLine(this.#before), room);
    const [under, ...rest] = splitClusters(fitLine(showLine(this.#after), room - stringWidth(before)));
    if (under === undefined || !colours.isColorSupported) {
      return `${prompt}${before}${cursor}${under ?? ""}${rest.join("")}`;
    }
    return `${prompt}${before}${colours.inverse(under)}${rest.join("")}`;
  }

  #submit(): Pressed | undefined {
    const text = this.text;
    this.#before = "";
    this.#after = "";
    if (text.trim() === "") return undefined;
    this.#history.push(text);
    if (this.#history.length > MAX_HISTORY) this.#history.shift();
    this.#at = this.#history.length;
    return { type: "line", text };
  }

  #control(name: string): Pressed | undefined {
    if (name === "c" && this.text !== "") {
      this.#before = "";
      this.#after = "";
      return undefined;
    }
    if (name === "c" || name === "z" || name === "\\") return { type: "signal", signal: SIGNALS[name] };
    if (name === "d" && this.text === "") return { type: "end" };
    if (name === "d") this.#after = splitClusters(this.#after).slice(1).join("");
    else if (name === "a") this.#jump("", this.text);
    else if (name === "e") this.#jump(this.text, "");
    else if (name === "u") this.#before = "";
    else if (name === "k") this.#after = "";
    else if (name === "w") this.#before = this.#before.replace(/\S*\s*$/, "");
    else if (name === "h") this.#before = splitClusters(this.#before).slice(0, -1).join("");
    return undefined;
  }

  #move(name: string | undefined, isMeta: boolean): boolean {
    const before = splitClusters(this.#before);
    const after = splitClusters(this.#after);
    if (name === "backspace") {
      this.#before = isMeta ? this.#before.replace(/\S*\s*$/, "") : before.slice(0, -1).join("");
    } else if (name === "delete") this.#after = after.slice(1).join("");
    else if (name === "left") this.#jump(before.slice(0, -1).join(""), `${before.at(-1) ?? ""}${this.#after}`);
    else if (name === "right") this.#jump(`${this.#before}${after[0] ?? ""}`, after.slice(1).join(""));
    else if (name === "home") this.#jump("", this.text);
    else if (name === "end") this.#jump(this.text, "");
    else if (name === "up") this.#recall(-1);
    else if (name === "down") this.#recall(1);
    else return false;
    return true;
  }

  #recall(step: number): void {
    const at = Math.min(Math.max(this.#at + step, 0), this.#history.length);
    if (at === this.#at) return;
    this.#at = at;
    this.#jump(this.#history[at] ?? "", "");
  }

  #jump(before: string, after: string): void {
    this.#before = before;
    this.#after = after;
  }

  #insert(typed: string): void {
    // What a terminal sends for keys that are unknown here is no text.
    const text = typed.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
    if (this.text.length + text.length <= MAX_LINE_LENGTH) this.#before += text;
  }
}

function splitClusters(text: string): string[] {
  return Array.from(clusters.segment(text), ({ segment }) => segment);
}

function showLine(text: string): string {
  return printableLine(text.replaceAll("\n", "⏎"));
}

/** The end of a text that fits into so many columns. */
function lastOf(text: string, columns: number): string {
  let width = 0;
  let kept = "";
  for (const cluster of splitClusters(text.slice(-16 * Math.max(1, columns))).reverse()) {
    width += stringWidth(cluster);
    if (width > columns) break;
    kept = cluster + kept;
  }
  return kept;
}
