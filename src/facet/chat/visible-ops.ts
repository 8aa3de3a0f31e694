import type { Batch, Op, Path } from "../../delta/index.js";
import type { Json } from "../../protocol/index.js";

/** What a row shows of a state that is folded from ops. Where it shows less, indexes stay what they are. */
export interface Visible {
  /** What is shown of a value that stands at `path`; undefined where nothing is. */
  value(path: Path, value: Json): Json | undefined;
}

/** The ops whose fold gives what is shown of the state that `batch` gives. */
export function visibleOps(visible: Visible, batch: Batch): Batch {
  return batch.flatMap((op) => visibleOp(visible, op));
}

function visibleOp(visible: Visible, op: Op): readonly Op[] {
  switch (op[0]) {
    case "r": {
      const value = visible.value([], op[1]);
      return value === undefined ? [] : [["r", value]];
    }
    case "s": {
      const value = visible.value(op[1], op[2]);
      return value === undefined ? [] : [["s", op[1], value]];
    }
    case "d":
      return isShown(visible, op[1]) ? [op] : [];
    case "a":
    case "t":
      return showsText(visible, op[1]) ? [op] : [];
    default: {
      const [, path, index, remove, items] = op;
      if (!Array.isArray(visible.value(path, []))) return [];
      const shown = items.map((item, offset) => visible.value([...path, index + offset], item) ?? null);
      return [["p", path, index, remove, shown]];
    }
  }
}

function isShown(visible: Visible, path: Path): boolean {
  return visible.value(path, null) !== undefined;
}

/** Text that is shown as another text, such as the empty one, does not grow. */
function showsText(visible: Visible, path: Path): boolean {
  return visible.value(path, "text") === "text";
}

export function isJsonObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
