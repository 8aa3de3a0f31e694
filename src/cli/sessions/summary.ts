import { laneEntries, laneOperation, readLanes } from "../../harness/index.js";
import type { OperationRecord, StoredEntry } from "../../harness/index.js";
import type { LaneId, OperationStatus, SessionId } from "../../protocol/index.js";
import type { SessionReader } from "../../storage/index.js";
import { describeFailure } from "../failure.js";
import { findRun } from "../session/run-file.js";
import { readSettings } from "../session/settings.js";
import type { SessionStore } from "../session/store.js";
import { describeEnd } from "../show/call-words.js";
import type { CallEnd } from "../show/call-words.js";
import { describeOpening } from "./opening.js";

/**
 * How the last operation ended, or: `running`, a process works on it; `unsettled`, its process died, and `spillway
 * resume` settles it; `empty`, nothing was asked yet; `damaged`, its files cannot be read, and `problem` says why.
 */
export type SessionState = "running" | "unsettled" | "empty" | "damaged" | OperationStatus;

/** A session in one line. */
export interface SessionSummary {
  readonly session: SessionId;
  readonly state: SessionState;
  /** How the last call ended, where no model decides what that means: a command that was run, for example; null otherwise. */
  readonly call: CallEnd | null;
  /** The process that writes it now. */
  readonly pid: number | null;
  /** Unix milliseconds of the last operation. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly prompt: string | null;
  /** The first prompt, or call, and when it was accepted. */
  readonly title: string | null;
  readonly createdAt: number | null;
  readonly mainBytes: number;
  readonly sidecarBytes: number;
  readonly problem?: { readonly code: string; readonly message: string };
}

/** All sessions, the one that was used last at the front. */
export async function summarizeAll(store: SessionStore): Promise<SessionSummary[]> {
  const summaries: SessionSummary[] = [];
  for (const id of await store.storage.list()) {
    const summary = await readSummary(store, id);
    if (summary !== undefined) summaries.push(summary);
  }
  return summaries.sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0));
}

/** `undefined` where there is no such session. */
export async function readSummary(store: SessionStore, id: SessionId): Promise<SessionSummary | undefined> {
  try {
    const reader = await store.storage.read(id);
    try {
      return await summarizeOpen(store, reader);
    } finally {
      await reader.close();
    }
  } catch (error) {
    const problem = describeFailure(error);
    return problem.code === "session_unknown" ? undefined : { ...NOTHING, session: id, state: "damaged", problem };
  }
}

const NOTHING = {
  call: null,
  pid: null,
  startedAt: null,
  endedAt: null,
  prompt: null,
  title: null,
  createdAt: null,
  mainBytes: 0,
  sidecarBytes: 0,
} as const;

export async function summarizeOpen(store: SessionStore, reader: SessionReader): Promise<SessionSummary> {
  const session = reader.sessionId;
  const pidBefore = findRun(store.places, session)?.pid;
  const { mainBytes, sidecarBytes } = await reader.usage();
  const lanes = await readOperations(reader);
  const last = lanes.reduce<LaneOperation | undefined>(newer, undefined);
  // Asked for twice: a process that began while the lanes were read would make its operation look left behind.
  const pid = pidBefore ?? findRun(store.places, session)?.pid ?? null;
  const first = lanes[0] === undefined ? undefined : await findEntry(reader, lanes[0].lane, "asc", () => true);
  const isPrompted = first?.type === "user";
  // Without a prompt, what was called: the answers of a model are none of it.
  const isOpening = ({ type }: StoredEntry): boolean => type === (isPrompted ? "user" : "assistant");
  const latest = last === undefined ? undefined : await findEntry(reader, last.lane, "desc", isOpening);
  const isOfModel = (await readSettings(reader))?.model !== undefined;
  const call = isOfModel || last === undefined ? undefined : await findEntry(reader, last.lane, "desc", isCall);
  const isUnsettled = lanes.some(({ record }) => record.status === "running");
  return {
    session,
    state: pid !== null ? "running" : isUnsettled ? "unsettled" : (last?.record.status ?? "empty"),
    call: call?.type === "tool" && call.operationId === last?.record.id ? describeEnd(call) : null,
    pid,
    startedAt: last?.record.startedAt ?? null,
    endedAt: last?.record.endedAt ?? null,
    prompt: (latest && describeOpening(latest)) ?? null,
    title: (first && describeOpening(first)) ?? null,
    createdAt: first?.at ?? null,
    mainBytes,
    sidecarBytes,
  };
}

const isCall = ({ type }: StoredEntry): boolean => type === "tool";

interface LaneOperation {
  readonly lane: LaneId;
  readonly record: OperationRecord;
}

async function readOperations(reader: SessionReader): Promise<LaneOperation[]> {
  const operations: LaneOperation[] = [];
  for (const lane of await readLanes(reader)) {
    const record = await reader.readValue(laneOperation(lane));
    if (record !== undefined) operations.push({ lane, record });
  }
  return operations;
}

function newer(a: LaneOperation | undefined, b: LaneOperation): LaneOperation {
  return a === undefined || b.record.startedAt >= a.record.startedAt ? b : a;
}

const PAGE_LIMIT = 10;

async function findEntry(
  reader: SessionReader,
  lane: LaneId,
  order: "asc" | "desc",
  isWanted: (entry: StoredEntry) => boolean,
): Promise<StoredEntry | undefined> {
  let cursor: string | undefined;
  do {
    const page = await reader.readList(laneEntries(lane), { order, limit: PAGE_LIMIT, cursor });
    for (const { value } of page.elements) if (isWanted(value)) return value;
    cursor = page.next;
  } while (cursor !== undefined);
  return undefined;
}
