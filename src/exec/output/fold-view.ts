import { ExecError } from "../errors.js";
import { tearsCharacter } from "./text-cut.js";
import type { ShellOutputUpdate, ShellOutputView } from "./view.js";

/**
 * Folds one update into the view before it, which stays as it was. The first update of a stream is a `replace`; what does
 * not fit is an {@link ExecError} `invalid_argument`.
 */
export function applyShellOutputUpdate(view: ShellOutputView | undefined, update: ShellOutputUpdate): ShellOutputView {
  if (update.kind === "replace") return update.output;
  if (view === undefined) throw unfit(`${update.kind} cannot open a stream; its first update is a replace`);
  const blocks = { text: view.text, ...(view.tail !== undefined && { tail: view.tail }) };
  if (update.kind === "metadata") return { ...blocks, ...update.metadata };
  const before = update.block === 0 ? view.text : view.tail;
  if (before === undefined) throw unfit("block 1 is not there");
  const after = slideText(before, update.kind === "slide" ? update.drop : 0) + update.text;
  return { ...blocks, ...(update.block === 0 ? { text: after } : { tail: after }), ...update.metadata };
}

function slideText(text: string, drop: number): string {
  if (!Number.isInteger(drop) || drop < 0 || drop > text.length) {
    throw unfit(`a slide drops 0 to ${text.length} code units of this text, not ${drop}`);
  }
  if (tearsCharacter(text, drop)) {
    throw unfit(`a slide that drops ${drop} code units tears a character`);
  }
  return text.slice(drop);
}

function unfit(reason: string): ExecError {
  return new ExecError("invalid_argument", `The update does not fit its view: ${reason}.`);
}
