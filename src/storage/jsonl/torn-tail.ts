import type { FileLayer } from "./file-layer.js";
import { copyAside } from "./copy-aside.js";
import { syncOrFail } from "./failures.js";
import { findKeptPath } from "./file-names.js";
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
  // An opening that did not get as far as its epoch may have kept a tail under that number. It stays.
  const kept = await findKeptPath(files, log.path, "cut", epoch);
  const bytes = (await log.file.stat()).size - length;
  await copyAside(files, log.file, kept, { start: length, bytes });
  await log.file.truncate(length);
  await syncOrFail(log.path, log.file.sync());
  report({
    kind: "tail_cut",
    file: log.path,
    message:
      `${log.path}, line ${log.torn.line} (byte ${log.torn.offset}): ${log.torn.reason}. ` +
      `The write was interrupted; ${bytes} bytes were cut off and are kept in ${kept}.`,
  });
}
