import type { Encoder } from "./contract.js";
import type { Batch, Op, PathRef, WireBatch, WireOp } from "./op.js";
import { PathTable } from "./path-table.js";
import type { KnownPath } from "./path-table.js";

/** An encoder for one stream: a path gets an id on its second use and is left out where it repeats the op before. */
export function encoder(): Encoder {
  const paths = new PathTable();
  return {
    encode(batch: Batch): WireBatch {
      const wire: WireOp[] = [];
      let previous: KnownPath | undefined;
      for (const op of batch) {
        if (op[0] === "r") {
          paths.clear();
          wire.push(op);
          continue;
        }
        const known = paths.find(op[1]);
        if (known === previous) wire.push(withoutPath(op));
        else pushWithPath(op, known, paths, wire);
        previous = known;
      }
      return wire;
    },
    forget: () => paths.clear(),
  };
}

type Edit = Exclude<Op, readonly ["r", ...unknown[]]>;

function pushWithPath(op: Edit, known: KnownPath, paths: PathTable, wire: WireOp[]): void {
  const path = op[1];
  if (known.id === undefined) {
    if (paths.isFirstUse(path, known)) {
      wire.push(op);
      return;
    }
    wire.push(["#", paths.define(path, known), path]);
  }
  wire.push(withPath(op, known.id ?? path));
}

function withPath(op: Edit, path: PathRef): WireOp {
  switch (op[0]) {
    case "s":
      return ["s", path, op[2]];
    case "d":
      return ["d", path];
    case "a":
      return ["a", path, op[2]];
    case "t":
      return ["t", path, op[2]];
    default:
      return ["p", path, op[2], op[3], op[4]];
  }
}

function withoutPath(op: Edit): WireOp {
  switch (op[0]) {
    case "s":
      return ["s", op[2]];
    case "d":
      return ["d"];
    case "a":
      return ["a", op[2]];
    case "t":
      return ["t", op[2]];
    default:
      return ["p", op[2], op[3], op[4]];
  }
}
