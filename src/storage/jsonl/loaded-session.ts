import { SessionIndex } from "../session-index.js";
import { StorageError } from "../errors.js";
import type { FileLayer } from "./file-layer.js";
import type { SessionFiles, SortedNames } from "./file-names.js";
import { isDeadWithoutHeader } from "./dead-sidecar.js";
import { LoadedLog } from "./loaded-log.js";
import type { Span } from "./record.js";

/** All files of a session, read and verified; nothing was changed. */
export interface LoadedSession {
  readonly found: SortedNames;
  readonly main: LoadedLog;
  /** In the order in which their lives began. */
  readonly sidecars: readonly LoadedLog[];
  /** Sidecars whose scope was retired. */
  readonly dead: readonly string[];
}

export async function loadSession(files: FileLayer, names: SessionFiles): Promise<LoadedSession> {
  const found = names.sort(await files.list(names.folder));
  if (!found.hasMain) throw unknownSession(names);
  const { sessionId: session } = names;
  const opened: LoadedLog[] = [];
  try {
    const main = await LoadedLog.open(files, names.main, "write", { session, scope: null });
    opened.push(main);
    await main.load();
    const sidecars: LoadedLog[] = [];
    const dead: string[] = [];
    for (const scope of found.scopeIds) {
      const path = names.sidecar(scope);
      const sidecar = await LoadedLog.open(files, path, "write", { session, scope }).catch(async (error: unknown) => {
        if (await isDeadWithoutHeader(files, path, main.retired.get(scope))) return undefined;
        throw error;
      });
      if (sidecar === undefined || sidecar.isRetiredBy(main)) {
        await sidecar?.close();
        dead.push(path);
        continue;
      }
      opened.push(sidecar);
      await sidecar.load();
      sidecars.push(sidecar);
    }
    sidecars.sort((a, b) => a.header.since - b.header.since);
    return { found, main, sidecars, dead };
  } catch (error) {
    for (const log of opened) await log.close();
    throw error;
  }
}

export function indexOf(main: LoadedLog, sidecars: readonly LoadedLog[]): SessionIndex<Span> {
  return new SessionIndex(
    main.index,
    sidecars.map(({ header, index }) => [header.scope ?? "", index]),
  );
}

export function unknownSession({ sessionId, folder }: SessionFiles): StorageError {
  return new StorageError("session_unknown", `There is no session ${sessionId} in ${folder}.`);
}
