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
  const kept = cutPath(log.path, epoch);
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

async function keepAside(files: FileLayer, log: LoadedLog, kept: string, bytes: number): Promise<void> {
  // An opening that was interrupted here leaves a copy that may lack its end.
  if ((await files.stat(kept)) !== undefined) await files.unlink(kept);
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
