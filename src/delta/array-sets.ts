import type { Json, Op, Path } from "./op.js";

/** Sets of neighbouring elements of the array at `path` become one splice: it names the path once. Other ops stay as they are. */
export function joinNeighbours(path: Path, ops: readonly Op[]): Op[] {
  const joined: Op[] = [];
  let values: Json[] = [];
  let start = 0;
  const close = (): void => {
    const [first] = values;
    if (values.length > 1) joined.push(["p", path, start, values.length, values]);
    else if (first !== undefined) joined.push(["s", [...path, start], first]);
    values = [];
  };
  for (const op of ops) {
    const index = op[0] === "s" ? Number(op[1].at(-1)) : -1;
    if (index !== start + values.length) close();
    if (op[0] !== "s") {
      joined.push(op);
      continue;
    }
    if (values.length === 0) start = index;
    values.push(op[2]);
  }
  close();
  return joined;
}

/** Whether joined ops put a new element at every index, so that the array is better told whole. */
export function coversAll(joined: readonly Op[], length: number): boolean {
  const [only] = joined;
  return only?.[0] === "p" && only[3] === length;
}
