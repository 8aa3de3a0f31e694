import type { FileLayer } from "./file-layer.js";
import type { SessionFiles } from "./file-names.js";
import { inspectLog } from "./inspection.js";
import type { LogInspection } from "./inspection.js";
import { loadRetirements } from "./retirements.js";
import { unknownSession } from "./loaded-session.js";

/** What a session's files are like; nothing was changed. */
export interface SessionVerification {
  readonly sessionId: string;
  /** Whether the session opens. An interrupted write at the end of a file is no obstacle. */
  readonly isSound: boolean;
  readonly files: readonly VerifiedFile[];
  /** Torn tails and damaged originals that were kept, and files that count for nothing. */
  readonly asides: readonly string[];
}

export interface VerifiedFile extends LogInspection {
  /** `null` of the main log. */
  readonly scope: string | null;
  /** Whether its scope was retired: then its state is no matter. */
  readonly isDead: boolean;
}

/** Reads every file of a session as a whole, beside its writer too. */
export async function verifySession(files: FileLayer, names: SessionFiles): Promise<SessionVerification> {
  const found = names.sort(await files.list(names.folder));
  if (!found.hasMain) throw unknownSession(names);
  const verified: VerifiedFile[] = [];
  for (const scope of found.scopeIds) {
    // A writer may have ended the scope meanwhile.
    if ((await files.stat(names.sidecar(scope))) === undefined) continue;
    verified.push({ ...(await inspectLog(files, names, scope)), scope, isDead: false });
  }
  const { main, isRetired } = await loadRetirements(files, names);
  const sidecars = await Promise.all(
    verified.map(async (file) => ({ ...file, isDead: await isRetired(file.scope ?? "", file.header) })),
  );
  const all = [{ ...main, scope: null, isDead: false }, ...sidecars];
  return {
    sessionId: names.sessionId,
    isSound: all.every(({ state, isDead }) => isDead || state !== "damaged"),
    files: all,
    asides: [...found.kept, ...found.unfinished],
  };
}
