import { apply, decoder } from "../delta/index.js";
import type { WireBatch } from "../delta/index.js";
import type { ExecutionPlan } from "../exec/index.js";
import type { LaneView } from "../lane/index.js";
import type {
  AssistantState,
  Entry,
  Json,
  LaneId,
  MessageId,
  OperationId,
  ToolCallId,
  ToolOutputState,
} from "../protocol/index.js";
import { ephemeralScope, valueAddress } from "../storage/index.js";
import type { EphemeralScope, ListAddress, Scope, SessionReader } from "../storage/index.js";
import {
  BASE_TAG,
  EXECUTION_MEMO_PREFIX,
  laneEntries,
  laneOperation,
  pendingAssistantOutput,
  pendingToolOutput,
  sessionLanes,
} from "./addresses.js";
import { HarnessError } from "./errors.js";
import { entryOfMessage } from "./ids.js";
import type { OperationRecord, StoredEntry } from "./record.js";
import { callsOf } from "./request.js";

type Reader = Pick<SessionReader, "readValue" | "readList" | "listKeys">;

/** A lane as it is in storage. */
export interface StoredLane {
  readonly transcript: readonly Entry[];
  readonly record: OperationRecord | undefined;
  /** What is there of an operation that has not settled. */
  readonly unsettled: UnsettledOperation | undefined;
}

export interface UnsettledOperation {
  readonly id: OperationId;
  readonly startedAt: number;
  /** Whether its calls are a program's own. */
  readonly isDirect: boolean;
  /** An answer that had not ended. */
  readonly message?: { readonly id: MessageId; readonly state: AssistantState };
  /** Calls without a result, in call order. */
  readonly calls: readonly UnsettledCall[];
}

export interface UnsettledCall {
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly args: Json;
  /** What it had given; absent where it was never started. */
  readonly output?: ToolOutputState;
  /** What the call noted for its own replay, by name. */
  readonly memos: ReadonlyMap<string, Json>;
}

/**
 * The executions that a call was about to begin, or began, in the order in which it did: what a sweep of the env must not
 * touch before recovery.
 */
export function executionsOf(call: UnsettledCall): ExecutionPlan[] {
  return [...call.memos]
    .filter(([name]) => name.startsWith(EXECUTION_MEMO_PREFIX))
    .map(([, note]) => note as unknown as ExecutionPlan & { readonly place: number })
    .sort((a, b) => a.place - b.place)
    .map(({ place: _place, ...plan }) => plan);
}

/** The session's lanes, in the order in which they came to be. */
export async function readLanes(reader: Reader): Promise<LaneId[]> {
  return collect(reader, sessionLanes);
}

/** Reads a lane: its history once, and of what is unsettled the newest base and what follows. */
export async function readLane(reader: Reader, laneId: LaneId): Promise<StoredLane> {
  const transcript = restoreEntries(await collect(reader, laneEntries(laneId)));
  const record = await reader.readValue(laneOperation(laneId));
  const unsettled = record?.status === "running" ? await readUnsettled(reader, record, transcript) : undefined;
  return { transcript, record, unsettled };
}

/** A lane as a view: what a viewer sees of a session that no process works on. */
export async function readLaneView(reader: Reader, laneId: LaneId): Promise<LaneView> {
  return toLaneView(await readLane(reader, laneId));
}

export function toLaneView({ transcript, unsettled }: StoredLane): LaneView {
  if (unsettled === undefined) return { transcript: [...transcript], operation: null };
  const { id, message, calls } = unsettled;
  return {
    transcript: [...transcript],
    operation: {
      id,
      ...(message === undefined ? {} : { message: { ...message, role: "assistant" } }),
      tools: calls.flatMap(({ toolCallId, toolName, args, output }) =>
        output === undefined ? [] : [{ id: toolCallId, name: toolName, args, output }],
      ),
      abandoned: true,
    },
  };
}

/** Gives stored calls their arguments back from the messages that hold them. */
function restoreEntries(stored: readonly StoredEntry[]): Entry[] {
  const args = new Map<ToolCallId, Json>();
  return stored.map((entry): Entry => {
    if (entry.type === "assistant") {
      for (const call of callsOf(entry)) args.set(call.toolCallId, call.args ?? call.input);
    }
    return entry.type === "tool" ? { ...entry, args: args.get(entry.toolCallId) ?? null } : entry;
  });
}

async function readUnsettled(
  reader: Reader,
  record: OperationRecord,
  transcript: readonly Entry[],
): Promise<UnsettledOperation> {
  const keys = (await reader.listKeys(ephemeralScope(record.id))).map(({ key }) => key);
  const entries = transcript.filter((entry) => entry.operationId === record.id);
  const message = await readPendingMessage(reader, record.id, keys, entries);
  const settled = new Set(entries.flatMap((entry) => (entry.type === "tool" ? [entry.toolCallId] : [])));
  const open = entries
    .flatMap((entry) => (entry.type === "assistant" ? callsOf(entry) : []))
    .filter(({ toolCallId }) => !settled.has(toolCallId));
  const calls: UnsettledCall[] = [];
  for (const call of open) {
    const output = await readState<ToolOutputState>(reader, pendingToolOutput(record.id, call.toolCallId));
    const memos = await readMemos(reader, record.id, call.toolCallId, keys);
    calls.push({
      toolCallId: call.toolCallId,
      toolName: call.name,
      args: call.args ?? call.input,
      ...(output === undefined ? {} : { output }),
      memos,
    });
  }
  const isDirect = record.direct === true;
  return { id: record.id, startedAt: record.startedAt, isDirect, ...(message === undefined ? {} : { message }), calls };
}

/** The answer that was being received; one that already is an entry only waits for its list to be cleared. */
async function readPendingMessage(
  reader: Reader,
  operationId: OperationId,
  keys: readonly string[],
  entries: readonly Entry[],
): Promise<{ id: MessageId; state: AssistantState } | undefined> {
  const ids = keys.flatMap((key) => /^message\/([^/]+)\/output$/.exec(key)?.[1] ?? []);
  const id = ids.find((id) => !entries.some((entry) => entry.id === entryOfMessage(id)));
  if (id === undefined) return undefined;
  const state = await readState<AssistantState>(reader, pendingAssistantOutput(operationId, id));
  return state === undefined ? undefined : { id, state };
}

async function readMemos(
  reader: Reader,
  operationId: OperationId,
  toolCallId: ToolCallId,
  keys: readonly string[],
): Promise<Map<string, Json>> {
  const prefix = `tool/${toolCallId}/memo/`;
  const memos = new Map<string, Json>();
  for (const key of keys.filter((key) => key.startsWith(prefix))) {
    const value = await reader.readValue(valueAddress<Json>(ephemeralScope(operationId), key));
    if (value !== undefined) memos.set(key.slice(prefix.length), value);
  }
  return memos;
}

/** Decodes a stored stream from its newest base on. */
async function readState<T>(reader: Reader, address: ListAddress<EphemeralScope, WireBatch>): Promise<T | undefined> {
  const newestFirst = await collect(reader, address, { order: "desc", stopAtTag: BASE_TAG });
  const batches = newestFirst.reverse();
  const stream = decoder();
  let state: T | undefined;
  try {
    for (const batch of batches) state = apply<T>(state, stream.decode(batch));
  } catch (cause) {
    throw new HarnessError("output_unreadable", `The stored output at ${address.key} cannot be decoded.`, { cause });
  }
  return state;
}

const PAGE_LIMIT = 1_000;

async function collect<T>(
  reader: Reader,
  address: ListAddress<Scope, T>,
  options: { readonly order?: "desc"; readonly stopAtTag?: string } = {},
): Promise<T[]> {
  const values: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await reader.readList(address, { ...options, cursor, limit: PAGE_LIMIT });
    for (const { value } of page.elements) values.push(value);
    cursor = page.next;
  } while (cursor !== undefined);
  return values;
}
