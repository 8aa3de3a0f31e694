import { dirname } from "node:path";
import { syncOrFail } from "./failures.js";
import type { FileLayer, OpenFile } from "./file-layer.js";
import { unfinishedPath } from "./file-names.js";
import { encodeHeader } from "./header.js";
import type { LogHeader } from "./header.js";
import { LogFile } from "./log-file.js";
import { encodeRecords } from "./record.js";
import type { LogTail, PlacedRecord, RecordDraft } from "./record.js";

export type RecordBatches = Iterable<readonly RecordDraft[]> | AsyncIterable<readonly RecordDraft[]>;

/**
 * Makes a whole file and gives it its name, in place of whatever bore that name: written beside it, synced, renamed,
 * and the folder synced. A power cut leaves the old file or the new one. `place` is told where the texts lie.
 */
export async function replaceLog(
  files: FileLayer,
  path: string,
  header: LogHeader,
  batches: RecordBatches,
  place: (record: PlacedRecord) => void = () => undefined,
): Promise<LogFile> {
  const unfinished = unfinishedPath(path);
  if ((await files.stat(unfinished)) !== undefined) await files.unlink(unfinished);
  const file = await files.open(unfinished, "create");
  try {
    const tail = await writeLog(file, header, batches, place);
    await syncOrFail(unfinished, file.sync());
    await files.rename(unfinished, path);
    await syncOrFail(path, files.syncFolder(dirname(path)));
    return new LogFile({ path, header, file, tail, synced: tail.length, wasWritten: false });
  } catch (error) {
    await file.close();
    await files.unlink(unfinished).catch(() => undefined);
    throw error;
  }
}

async function writeLog(
  file: OpenFile,
  header: LogHeader,
  batches: RecordBatches,
  place: (record: PlacedRecord) => void,
): Promise<LogTail> {
  const start = encodeHeader(header);
  await writeAll(file, start.bytes, 0);
  let { tail } = start;
  for await (const drafts of batches) {
    // Nobody sees these lines before all of them are synced, so each may say that what precedes it is.
    const encoded = encodeRecords(drafts, tail, (offset) => offset);
    await writeAll(file, encoded.bytes, tail.length);
    for (const record of encoded.records) place(record);
    tail = encoded.tail;
  }
  return tail;
}

async function writeAll(file: OpenFile, bytes: Buffer, position: number): Promise<void> {
  const count = await file.write(bytes, position);
  if (count < bytes.length) throw new Error(`only ${count} of ${bytes.length} bytes were taken`);
}
