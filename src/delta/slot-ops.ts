import type { Op, Path } from "./op.js";
import { findSlide } from "./overlap.js";
import { copySlot, isRawContainer } from "./raw-state.js";
import type { Before, Slot } from "./raw-state.js";
import { StatedText } from "./stated-text.js";

/** The ops that turn what stood at `path` at the last flush into what stands there now. */
export function emitSlot(path: Path, before: Before, slot: Slot, ops: Op[]): void {
  const after = isRawContainer(slot) ? slot : copySlot(slot);
  const old = before instanceof StatedText ? before.settledText : before;
  if (typeof old === "string" && typeof after === "string") emitText(path, old, after, ops);
  else if (old !== after) ops.push(["s", path, copySlot(slot)]);
}

/** Whether {@link emitSlot} would give anything. */
export function slotChanged(before: Before, slot: Slot): boolean {
  if (isRawContainer(slot)) return true;
  return (before instanceof StatedText ? before.settledText : before) !== copySlot(slot);
}

/** The stated edits of one string. */
export function emitStated(path: Path, text: StatedText, ops: Op[]): void {
  const edit = text.stated;
  if (edit.whole) {
    ops.push(["s", path, edit.text]);
    return;
  }
  if (edit.drop > 0) ops.push(["t", path, edit.drop]);
  if (edit.text !== "") ops.push(["a", path, edit.text]);
}

function emitText(path: Path, before: string, after: string, ops: Op[]): void {
  if (before === after) return;
  if (after.slice(0, before.length) === before) {
    ops.push(["a", path, after.slice(before.length)]);
    return;
  }
  const drop = findSlide(before, after);
  if (drop === undefined) {
    ops.push(["s", path, after]);
    return;
  }
  ops.push(["t", path, drop]);
  const added = after.slice(before.length - drop);
  if (added !== "") ops.push(["a", path, added]);
}
