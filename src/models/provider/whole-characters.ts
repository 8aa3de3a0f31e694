import type { ModelPart } from "../contract.js";

/**
 * Holds the first half of a character back until the second comes: providers cut their text anywhere, and half a character
 * cannot be stored or sent on. One that stays alone becomes U+FFFD.
 */
export class WholeCharacters {
  #held: { readonly part: TextPart; readonly half: string } | undefined;

  *take(part: ModelPart): Generator<ModelPart> {
    if (!isTextPart(part)) {
      yield* this.#release();
      yield part;
      return;
    }
    let text = part.text;
    if (this.#held !== undefined && belongTogether(this.#held.part, part)) {
      text = `${this.#held.half}${text}`;
      this.#held = undefined;
    } else yield* this.#release();
    if (/[\ud800-\udbff]$/.test(text)) {
      this.#held = { part, half: text.slice(-1) };
      text = text.slice(0, -1);
    }
    if (text !== "" || part.text === "") yield { ...part, text: text.toWellFormed() };
  }

  *#release(): Generator<ModelPart> {
    if (this.#held === undefined) return;
    const { part } = this.#held;
    this.#held = undefined;
    yield { ...part, text: "\ufffd" };
  }
}

type TextPart = Extract<ModelPart, { readonly text: string }>;

function isTextPart(part: ModelPart): part is TextPart {
  return part.type === "text" || part.type === "thinking" || part.type === "toolCallInput";
}

function belongTogether(first: TextPart, second: TextPart): boolean {
  if (first.type !== "toolCallInput" || second.type !== "toolCallInput") return first.type === second.type;
  return first.call === second.call;
}
