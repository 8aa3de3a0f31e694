import type { Decoder } from "./contract.js";
import { DeltaError } from "./error.js";
import { checkOpValues, rootOp } from "./op-check.js";
import { isBase } from "./op.js";
import type { Batch, Op, Path, PathRef, WireBatch, WireOp } from "./op.js";
import { assertWireShape, namesPath } from "./wire-check.js";

/** A decoder for one stream. It is as it was after a batch that it refused. */
export function decoder(): Decoder {
  let known = new Map<number, Path>();
  return {
    decode(wire: unknown): Batch {
      assertWireShape(wire);
      const older = isBase(wire) ? new Map<number, Path>() : known;
      const defined = new Map<number, Path>();
      const batch = expandBatch(wire, older, defined);
      known = older;
      for (const [id, path] of defined) known.set(id, path);
      return batch;
    },
  };
}

/** What a batch defines stays apart until all of it has been read. */
function expandBatch(wire: WireBatch, older: ReadonlyMap<number, Path>, defined: Map<number, Path>): Batch {
  const batch: Op[] = [];
  let path: Path = [];
  for (const [index, op] of wire.entries()) {
    if (op[0] === "#") {
      defined.set(op[1], op[2]);
      continue;
    }
    if (op[0] !== "r" && namesPath(op)) path = resolvePath(op[1] as PathRef, older, defined, index);
    const expanded = op[0] === "r" ? op : withPath(op, path);
    if (expanded[0] !== "r" && expanded[0] !== "p" && path.length === 0) throw rootOp(expanded[0], index);
    checkOpValues(expanded, index);
    batch.push(expanded);
  }
  return batch;
}

/** The shape was checked, so an op with its path put in is one of the plain ops. */
function withPath(op: WireOp, path: Path): Op {
  return [op[0], path, ...op.slice(namesPath(op) ? 2 : 1)] as unknown as Op;
}

function resolvePath(
  ref: PathRef,
  older: ReadonlyMap<number, Path>,
  defined: ReadonlyMap<number, Path>,
  index: number,
): Path {
  if (typeof ref !== "number") return ref;
  const path = defined.get(ref) ?? older.get(ref);
  if (path !== undefined) return path;
  throw new DeltaError("unknown_path_id", `path id ${ref} was never defined in this stream; ask for a base batch`, {
    index,
  });
}
