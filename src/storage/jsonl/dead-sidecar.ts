import type { Sequence } from "../contract.js";
import type { FileLayer } from "./file-layer.js";
import { LogScan } from "./log-scan.js";

/**
 * Whether a sidecar whose header does not verify is dead all the same, so that its damage is no matter: a file holds one
 * life, and where any record of it that verifies is older than the last retirement of its scope, that life has ended.
 */
export async function isDeadWithoutHeader(
  files: FileLayer,
  path: string,
  retiredAt: Sequence | undefined,
): Promise<boolean> {
  if (retiredAt === undefined) return false;
  const file = await files.open(path, "read");
  try {
    const scan = new LogScan(file, { tail: { length: 0, crc: 0 }, lastSequence: 0, lines: 0 });
    for await (const _records of scan.read()) if (scan.lowestSequence < retiredAt) return true;
    return scan.lowestSequence < retiredAt;
  } finally {
    await file.close();
  }
}
