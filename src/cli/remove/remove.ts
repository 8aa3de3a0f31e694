import { rm } from "node:fs/promises";
import type { SessionId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { openStore } from "../session/store.js";

/** Removes sessions with all that belongs to them; stops at the first that cannot be. */
export async function removeSessions(sessions: readonly SessionId[], context: CliContext): Promise<void> {
  const { places, storage } = openStore(context);
  for (const session of new Set(sessions)) {
    await storage.remove(session);
    await rm(places.spillFolder(session), { recursive: true, force: true });
    await rm(places.runFile(session), { force: true });
    // Where nobody listens any more, since its process was killed. One that cannot be removed harms nobody.
    await rm(places.socket(session), { force: true }).catch(() => undefined);
    context.stderr.write(`spillway: removed ${session}\n`);
  }
}
