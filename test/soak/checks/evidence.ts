import { readdirSync } from "node:fs";
import {
  BASE_TAG,
  pendingAssistantOutput,
  pendingToolOutput,
  readLane,
  readLanes,
  toLaneView,
} from "../../../src/harness/index.js";
import type { StoredLane } from "../../../src/harness/index.js";
import type { Entry, ToolEntry } from "../../../src/protocol/index.js";
import { createJsonlStorage } from "../../../src/storage/index.js";
import type { SessionReader } from "../../../src/storage/index.js";
import { fingerprint } from "../fingerprint.js";
import { readMarks, readNotes, readSights } from "../world.js";
import type { Note, Sight, World } from "../world.js";

/** All that is known of a session after a life of its process, from files alone. */
export interface Evidence {
  readonly world: World;
  readonly life: number;
  /** Whether that life ended by itself, with nothing left to do. */
  readonly isLast: boolean;
  /** Whether its exec host was ever killed: commands can then be lost. */
  readonly hostWasKilled: boolean;
  /** Views of the lanes as they were stored before that life, by lane. */
  readonly before: Readonly<Record<string, string>>;
  readonly lanes: ReadonlyMap<string, StoredLane>;
  readonly liveScopes: readonly string[];
  /** Elements since the newest base, by the key of each pending output. */
  readonly pending: ReadonlyMap<string, number>;
  readonly files: readonly string[];
  readonly notes: readonly Note[];
  readonly marks: ReadonlyMap<string, readonly string[]>;
  readonly hostSights: readonly Sight[];
  readonly viewerSights: readonly Sight[];
}

export interface Circumstances {
  readonly life: number;
  readonly isLast: boolean;
  readonly hostWasKilled: boolean;
  readonly before: Readonly<Record<string, string>>;
}

/** Undefined where there is no session yet. Throws what storage throws about files that are damaged. */
export async function gather(world: World, circumstances: Circumstances): Promise<Evidence | undefined> {
  const reader = await openReader(world);
  if (reader === undefined) return undefined;
  try {
    const lanes = await readAll(reader);
    const scopes = await reader.liveScopes();
    return {
      ...circumstances,
      world,
      lanes,
      liveScopes: scopes.map(({ id }) => id),
      pending: await countPending(reader, lanes),
      files: readdirSync(world.sessions),
      notes: readNotes(world),
      marks: readMarks(world),
      hostSights: readSights(world, "host"),
      viewerSights: readSights(world, "viewers"),
    };
  } finally {
    await reader.close();
  }
}

/** The lanes as whoever opens the session next is to find them. */
export async function readStoredViews(world: World): Promise<Readonly<Record<string, string>>> {
  const reader = await openReader(world);
  if (reader === undefined) return {};
  try {
    const lanes = await readAll(reader);
    return Object.fromEntries([...lanes].map(([id, lane]) => [id, fingerprint(toLaneView(lane))]));
  } finally {
    await reader.close();
  }
}

async function openReader({ sessions, session }: World): Promise<SessionReader | undefined> {
  const storage = createJsonlStorage({ folder: sessions });
  return (await storage.list()).includes(session) ? storage.read(session) : undefined;
}

async function readAll(reader: SessionReader): Promise<ReadonlyMap<string, StoredLane>> {
  const lanes = new Map<string, StoredLane>();
  for (const id of await readLanes(reader)) lanes.set(id, await readLane(reader, id));
  return lanes;
}

async function countPending(
  reader: SessionReader,
  lanes: ReadonlyMap<string, StoredLane>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { unsettled } of lanes.values()) {
    if (unsettled === undefined) continue;
    const { id, calls, message } = unsettled;
    const addresses = calls.map(({ toolCallId }) => pendingToolOutput(id, toolCallId));
    if (message !== undefined) addresses.push(pendingAssistantOutput(id, message.id));
    for (const address of addresses) {
      const page = await reader.readList(address, { order: "desc", stopAtTag: BASE_TAG, limit: 1_000 });
      counts.set(address.key, page.elements.length);
    }
  }
  return counts;
}

export function notesOf<T extends Note["type"]>(
  { notes }: Pick<Evidence, "notes">,
  type: T,
): readonly Extract<Note, { type: T }>[] {
  return notes.filter((note): note is Extract<Note, { type: T }> => note.type === type);
}

/** Every entry that is stored, once, also where forked lanes share it. */
export function entriesOf({ lanes }: Pick<Evidence, "lanes">): readonly Entry[] {
  const entries = [...lanes.values()].flatMap(({ transcript }) => transcript);
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

export function toolEntriesOf(evidence: Pick<Evidence, "lanes">): readonly ToolEntry[] {
  return entriesOf(evidence).filter((entry) => entry.type === "tool");
}

export function textOf({ output }: Pick<ToolEntry, "output">): string {
  return output.content.map((block) => (block.type === "text" && block.notice !== true ? block.text : "")).join("");
}

export function noticeOf({ output }: Pick<ToolEntry, "output">): string {
  return output.content.map((block) => (block.type === "text" && block.notice === true ? block.text : "")).join("");
}
