import { dirname } from "node:path";
import type { FileLayer } from "./file-layer.js";
import { cutPath } from "./file-names.js";
import type { LoadedLog } from "./loaded-log.js";
import type { ReportDiagnostic } from "./diagnostics.js";

/** Keeps what an interrupted write left in a file of its own, then cuts it off. */
export async function cutTornTail(
  files: FileLayer,
  log: LoadedLog,
  epoch: number,
  report: ReportDiagnostic,
): Promise<void> {
  if (log.torn === undefined) return;
  const { length } = log.place.tail;
  const kept = await findFreePath(files, log.path, epoch);
  const bytes = (await log.file.stat()).size - length;
  await keepAside(files, log, kept, bytes);
  await log.file.truncate(length);
  await log.file.sync();
  report({
    kind: "tail_cut",
    file: log.path,
    message:
      `${log.path}, line ${log.torn.line} (byte ${log.torn.offset}): ${log.torn.reason}. ` +
      `The write was interrupted; ${bytes} bytes were cut off and are kept in ${kept}.`,
  });
}

/** An opening that did not get as far as its epoch may have kept a tail under that number. It stays. */
async function findFreePath(files: FileLayer, path: string, epoch: number): Promise<string> {
  let number = epoch;
  while ((await files.stat(cutPath(path, number))) !== undefined) number += 1;
  return cutPath(path, number);
}

async function keepAside(files: FileLayer, log: LoadedLog, kept: string, bytes: number): Promise<void> {
  const copy = await files.open(kept, "create");
  try {
    for (let done = 0; done < bytes;) {
      const portion = Buffer.allocUnsafe(Math.min(COPY_BYTES, bytes - done));
      const count = await log.file.read(portion, log.place.tail.length + done);
      const written = await copy.write(portion.subarray(0, count), done);
      if (written === 0) throw new Error(`${kept} took only ${done} of ${bytes} bytes`);
      done += written;
    }
    await copy.sync();
  } finally {
    await copy.close();
  }
  await files.syncFolder(dirname(kept));
}

const COPY_BYTES = 1024 * 1024;
