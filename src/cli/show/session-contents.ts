import { readLane, readLanes } from "../../harness/index.js";
import type { StoredLane } from "../../harness/index.js";
import type { LaneId, SessionId } from "../../protocol/index.js";
import { readSettings } from "../session/settings.js";
import type { SessionSettings } from "../session/settings.js";
import { summarizeOpen } from "../sessions/summary.js";
import type { SessionSummary } from "../sessions/summary.js";
import type { SessionStore } from "../session/store.js";

/** All that is stored of a session, read beside whoever writes it. */
export interface SessionContents {
  readonly summary: SessionSummary;
  /** Absent where a program of somebody else made it. */
  readonly settings: SessionSettings | undefined;
  readonly lanes: readonly (StoredLane & { readonly id: LaneId })[];
}

export async function readSession(store: SessionStore, id: SessionId): Promise<SessionContents> {
  const reader = await store.storage.read(id);
  try {
    const summary = await summarizeOpen(store, reader);
    const lanes: (StoredLane & { readonly id: LaneId })[] = [];
    for (const lane of await readLanes(reader)) lanes.push({ id: lane, ...(await readLane(reader, lane)) });
    return { summary, settings: await readSettings(reader), lanes };
  } finally {
    await reader.close();
  }
}
