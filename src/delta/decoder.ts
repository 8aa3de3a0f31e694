import type { Decoder } from "./contract.js";
import { DeltaError } from "./error.js";
import { checkOp } from "./op-check.js";
import { isBase } from "./op.js";
import type { Batch, Op, Path, PathRef, WireBatch } from "./op.js";
import { assertWireOps, namesPath } from "./wire-check.js";

/** A decoder for one stream. It is as it was after a batch that it refused. */
export function decoder(): Decoder {
  let known = new Map<number, Path>();
  return {
    decode(wire: unknown): Batch {
      assertWireOps(wire);
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
    } else if (op[0] === "r") {
      batch.push(op);
    } else {
      const named = namesPath(op);
      if (named) path = resolvePath(op[1] as PathRef, older, defined, index);
      const expanded: unknown = [op[0], path, ...op.slice(named ? 2 : 1)];
      checkOp(expanded, index);
      batch.push(expanded);
    }
  }
  return batch;
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
