import type { Decoder } from "./contract.js";
import { DeltaError } from "./error.js";
import { isBase } from "./op.js";
import type { Batch, Path, WireBatch } from "./op.js";
import { readWireOps } from "./wire-ops.js";

/** A decoder for one stream. It is as it was after a batch that it refused. */
export function decoder(): Decoder {
  let known = new Map<number, Path>();
  return {
    decode(wire: unknown): Batch {
      const older = Array.isArray(wire) && isBase(wire as WireBatch) ? new Map<number, Path>() : known;
      // What a batch defines stays apart until all of it has been read.
      let defined: Map<number, Path> | undefined;
      const batch = readWireOps(wire, {
        resolve(id, index) {
          const path = defined?.get(id) ?? older.get(id);
          if (path !== undefined) return path;
          throw unknownId(id, index);
        },
        define(id, path) {
          defined ??= new Map();
          defined.set(id, path);
        },
      });
      known = older;
      for (const [id, path] of defined ?? []) known.set(id, path);
      return batch;
    },
  };
}

function unknownId(id: number, index: number): DeltaError {
  return new DeltaError("unknown_path_id", `path id ${id} was never defined in this stream; ask for a base batch`, {
    index,
  });
}
