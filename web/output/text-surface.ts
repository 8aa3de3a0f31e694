import { displayText } from "../format/display-text.js";
import type { TextTrack } from "../lane/row-changes.js";

/** Length of a piece of text that is laid out by itself, in UTF-16 code units; it goes on to the end of its line. */
const CHUNK_LENGTH = 1_024;

/**
 * Shows a text that grows at its end and is dropped at its front, in blocks of whole lines, each one text node. What
 * stays is not touched: a window of 50 kB that slides costs what came and what went.
 */
export class TextSurface {
  readonly #root: HTMLElement;
  readonly #chunks: Text[] = [];
  #track: TextTrack | undefined;
  /** Positions in the text since it began, dropped code units included. */
  #from = 0;
  #to = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  show(text: string, track: TextTrack): void {
    const from = track.dropped;
    const to = from + text.length;
    const goesOn = track === this.#track && from >= this.#from && from < this.#to && to >= this.#to;
    if (goesOn) {
      this.#drop(from - this.#from);
      this.#append(text.slice(this.#to - from));
    } else {
      this.#root.replaceChildren();
      this.#chunks.length = 0;
      this.#append(text);
    }
    this.#track = track;
    this.#from = from;
    this.#to = to;
  }

  #drop(length: number): void {
    let left = length;
    while (left > 0) {
      const [first] = this.#chunks;
      if (first === undefined) return;
      if (first.length > left) {
        first.deleteData(0, left);
        return;
      }
      left -= first.length;
      first.parentElement?.remove();
      this.#chunks.shift();
    }
  }

  #append(text: string): void {
    const shown = displayText(text);
    for (let at = 0; at < shown.length;) {
      const last = this.#openChunk();
      const end = shown.indexOf("\n", at + Math.max(0, CHUNK_LENGTH - last.length));
      const piece = end === -1 ? shown.slice(at) : shown.slice(at, end + 1);
      last.appendData(piece);
      at += piece.length;
    }
  }

  /** The last chunk while it has room or its last line is not complete, else a new one. */
  #openChunk(): Text {
    const last = this.#chunks.at(-1);
    if (last !== undefined && (last.length < CHUNK_LENGTH || !last.data.endsWith("\n"))) return last;
    const chunk = document.createTextNode("");
    const block = document.createElement("div");
    block.append(chunk);
    this.#root.append(block);
    this.#chunks.push(chunk);
    return chunk;
  }
}
