import type { Decoder } from "./contract.js";
import { DeltaError } from "./error.js";
import { checkOp } from "./op-check.js";
import type { Batch, Op, Path, PathRef, WireOp } from "./op.js";
import { assertWireOps, namesPath } from "./wire-check.js";

/** A decoder for one stream. It is as it was after a batch that it refused. */
export function decoder(): Decoder {
  let known: ReadonlyMap<number, Path> = new Map();
  return {
    decode(wire: unknown): Batch {
      assertWireOps(wire);
      const staged = new Map(wire[0]?.[0] === "r" ? [] : known);
      const batch = expandBatch(wire, staged);
      known = staged;
      return batch;
    },
  };
}

function expandBatch(wire: readonly WireOp[], paths: Map<number, Path>): Batch {
  const batch: Op[] = [];
  let previous: Path = [];
  for (const [index, op] of wire.entries()) {
    if (op[0] === "#") {
      paths.set(op[1], op[2]);
    } else if (op[0] === "r") {
      batch.push(op);
    } else {
      if (namesPath(op)) previous = resolve(op[1] as PathRef, paths, index);
      const operands = namesPath(op) ? op.slice(2) : op.slice(1);
      const expanded: unknown = [op[0], previous, ...operands];
      checkOp(expanded, index);
      batch.push(expanded);
    }
  }
  return batch;
}

function resolve(ref: PathRef, paths: ReadonlyMap<number, Path>, index: number): Path {
  if (typeof ref !== "number") return ref;
  const path = paths.get(ref);
  if (path !== undefined) return path;
  throw new DeltaError("unknown_path_id", `path id ${ref} was never defined in this stream; ask for a base batch`, {
    index,
  });
}
