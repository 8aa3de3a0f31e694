import { EPOCH_SIZE } from "../sequence.js";
import { describeCause, SyncFailure, syncOrFail } from "./failures.js";
import type { SessionFiles } from "./file-names.js";
import type { LoadedLog } from "./loaded-log.js";
import { indexOf, loadSession } from "./loaded-session.js";
import type { LoadedSession } from "./loaded-session.js";
import { LogFile } from "./log-file.js";
import type { JsonlParts } from "./parts.js";
import { SessionWriter } from "./session-writer.js";
import { cutTornTail } from "./torn-tail.js";
import { markUnsure, renewUnsure } from "./unsure-files.js";

/**
 * Opens a session whose lock is held. Everything is read and verified before anything is changed; then the opening gets
 * its epoch, behind the main log's last whole line, and only then the other files are put in order.
 */
export async function openWriter(parts: JsonlParts, names: SessionFiles): Promise<SessionWriter> {
  await renewUnsure(parts.files, names);
  const loaded = await loadSession(parts.files, names);
  const logs = [loaded.main, ...loaded.sidecars];
  try {
    const epoch = nextEpoch(logs);
    // Whoever made or replaced a file may have been killed before its name was safe; from now on commits rely on it.
    await syncOrFail(names.folder, parts.files.syncFolder(names.folder));
    await cutTornTail(parts.files, loaded.main, epoch, parts.report);
    const main = toLogFile(loaded.main);
    // So that the epoch's record can say it: what earlier openings were told is stored is no torn tail any more.
    if (main.isUnsynced) await main.sync();
    // Numbers of this epoch may lie in any file once the record that claims it cannot be lost any more.
    await main.appendSynced([{ sequence: epoch * EPOCH_SIZE, writes: [], epoch }]);
    for (const log of loaded.sidecars) await cutTornTail(parts.files, log, epoch, parts.report);
    await removeDead(parts, names, loaded);
    const sidecars = new Map(loaded.sidecars.map((log) => [log.header.scope ?? "", toLogFile(log)]));
    const { retired } = loaded.main;
    const index = indexOf(loaded.main, loaded.sidecars);
    return new SessionWriter(parts, { names, epoch, index, main, retired, sidecars });
  } catch (error) {
    for (const log of logs) await log.close();
    if (error instanceof SyncFailure) await markUnsure(parts.files, names);
    throw error;
  }
}

/** Behind every number in any file: a main log that lost its last record is still not behind its sidecars. */
function nextEpoch(logs: readonly LoadedLog[]): number {
  const last = Math.max(...logs.map(({ header, place }) => Math.max(header.since, place.lastSequence)));
  return Math.floor(last / EPOCH_SIZE) + 1;
}

async function removeDead(
  { files, report }: JsonlParts,
  names: SessionFiles,
  { found, dead }: LoadedSession,
): Promise<void> {
  for (const path of [...dead, ...found.unfinished.map((name) => names.path(name))]) {
    await files.unlink(path).catch((cause: unknown) => {
      const message = `${path} counts for nothing and could not be removed (${describeCause(cause)}); the next opening tries again.`;
      report({ kind: "unlink_failed", file: path, message, cause });
    });
  }
}

function toLogFile({ path, header, file, place, synced, texts }: LoadedLog): LogFile {
  return new LogFile({ path, header, file, tail: place.tail, synced, wasWritten: true, texts });
}
