import { readSpillFate } from "../../exec/index.js";
import type { RemovalReason } from "../../exec/index.js";
import { formatCount, formatTime } from "../report/units.js";

const REMOVAL_REASONS: Readonly<Record<RemovalReason, string>> = {
  age: "was older than outputs are kept",
  quota: "was among the oldest when all of them together had become too many bytes",
};

/** Since when and why the file of an output is not there any more, as far as that is known. */
export async function describeLostOutput(path: string): Promise<string> {
  const fate = await readSpillFate(path);
  if (fate.state !== "expired") return `there is no output file at ${path} any more: somebody has removed it`;
  const { bytes, removedAt, reason } = fate;
  return `the output file ${path}, ${formatCount(bytes)} bytes, was removed at ${formatTime(removedAt)}: it ${REMOVAL_REASONS[reason]}`;
}
