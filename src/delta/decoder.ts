import type { Decoder } from "./contract.js";
import { checkArity, readOp, readOps, readPathId } from "./op-check.js";
import type { PathNames } from "./op-check.js";
import { MAX_PATH_IDS } from "./op.js";
import type { Batch, Op, Path, WireBatch } from "./op.js";
import { checkPath } from "./path.js";
import { overwrite } from "./place.js";

/** A decoder for one stream. It is as it was after a batch that it refused. */
export function decoder(): Decoder {
  return openStream([]);
}

/** The validator for encoded batches from outside. Whether an id is defined depends on the stream and is the decoder's question. */
export function assertWireOps(value: unknown): asserts value is WireBatch {
  openStream(Array.from({ length: MAX_PATH_IDS }, (): Path => [0])).decode(value);
}

/** Reads a stream in which these ids are defined. */
function openStream(ids: Path[]): Decoder {
  const names: PathNames = { ids, previous: undefined };
  return {
    decode(wire: unknown): Batch {
      const batch: Op[] = [];
      names.previous = undefined;
      readOps(wire, (fields, index) => {
        if (fields[0] === "#") {
          checkArity(fields, 3);
          return overwrite(names.ids, readPathId(fields[1]), checkPath(fields[2]));
        }
        const op = readOp(fields, index, names);
        batch.push(op);
        if (op[0] === "r") return overwrite<"ids", PathNames["ids"]>(names, "ids", []);
        names.previous = op[1];
        return undefined;
      });
      return batch;
    },
  };
}
