import { apply, decoder } from "../delta/index.js";
import type { WireBatch } from "../delta/index.js";
import type { ExecutionPlan } from "../exec/index.js";
import type { LaneTool, LaneView } from "../lane/index.js";
import type {
  Approval,
  AssistantState,
  Entry,
  Json,
  LaneId,
  MessageId,
  OperationId,
  PendingApproval,
  QueuedMessage,
  ToolCallId,
  ToolOutputState,
} from "../protocol/index.js";
import { ephemeralScope, valueAddress } from "../storage/index.js";
import type { EphemeralScope, ListAddress, Scope, SessionReader } from "../storage/index.js";
import {
  BASE_TAG,
  CHANGED_ARGS_MEMO,
  EXECUTION_MEMO_PREFIX,
  laneApprovals,
  laneEntries,
  laneOperation,
  laneOrigin,
  laneQueue,
  pendingAssistantOutput,
  pendingToolOutput,
  sessionLanes,
} from "./addresses.js";
import { HarnessError } from "./errors.js";
import { entryOfMessage } from "./ids.js";
import type { ApprovalRecord, LaneOrigin, OperationRecord, StoredEntry } from "./record.js";
import { callsOf } from "./request.js";

type Reader = Pick<SessionReader, "readValue" | "readList" | "listKeys">;

/** A lane as it is in storage. */
export interface StoredLane {
  readonly transcript: readonly Entry[];
  readonly record: OperationRecord | undefined;
  /** What was said and has not joined an operation. */
  readonly queue: readonly QueuedMessage[];
  /** Where the lane was forked. */
  readonly origin: LaneOrigin | undefined;
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
  /** About which of them someone was asked. */
  readonly approvals: readonly ApprovalRecord[];
}

export interface UnsettledCall {
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly args: Json;
  /** What the model stated is no JSON. */
  readonly unparsed?: true;
  /** What a hook put in the place of `args`. */
  readonly changedArgs?: Json;
  /** Someone was asked and has not decided. */
  readonly pendingApproval?: PendingApproval;
  readonly approval?: Approval;
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
  const origin = await reader.readValue(laneOrigin(laneId));
  const transcript = restoreEntries(await readEntries(reader, laneId, origin));
  const record = await reader.readValue(laneOperation(laneId));
  const queue = (await reader.readValue(laneQueue(laneId))) ?? [];
  const approvals = (await reader.readValue(laneApprovals(laneId))) ?? [];
  const unsettled =
    record?.status === "running" ? await readUnsettled(reader, record, transcript, approvals) : undefined;
  return { transcript, record, queue, origin, unsettled };
}

/** A lane's own entries, after those that it shares with the lane it was forked from. */
async function readEntries(
  reader: Reader,
  laneId: LaneId,
  origin: LaneOrigin | undefined,
): Promise<readonly StoredEntry[]> {
  const own = await collect(reader, laneEntries(laneId));
  if (origin === undefined) return own;
  const before = await readEntries(reader, origin.laneId, await reader.readValue(laneOrigin(origin.laneId)));
  const end = before.findIndex(({ id }) => id === origin.entryId);
  return [...before.slice(0, end + 1), ...own];
}

/** A lane as a view: what a viewer sees of a session that no process works on. */
export async function readLaneView(reader: Reader, laneId: LaneId): Promise<LaneView> {
  return toLaneView(await readLane(reader, laneId));
}

export function toLaneView({ transcript, record, queue, unsettled }: StoredLane): LaneView {
  const view: LaneView = { transcript: [...transcript], operation: null };
  if (queue.length > 0) view.queue = [...queue];
  if (record?.laneUsage !== undefined) view.usage = { ...record.laneUsage };
  if (unsettled === undefined) return view;
  const { id, message, calls } = unsettled;
  view.operation = {
    id,
    ...(message === undefined ? {} : { message: { ...message, role: "assistant" } }),
    tools: calls.flatMap(toLaneTool),
    abandoned: true,
  };
  return view;
}

/** A call that was not begun is shown where someone was asked about it. */
function toLaneTool(call: UnsettledCall): LaneTool[] {
  const { toolCallId: id, toolName: name, args, changedArgs, pendingApproval, approval, output } = call;
  if (output === undefined && pendingApproval === undefined && approval === undefined) return [];
  return [
    {
      id,
      name,
      args,
      ...(changedArgs === undefined ? {} : { changedArgs }),
      ...(pendingApproval === undefined ? {} : { pendingApproval }),
      ...(approval === undefined ? {} : { approval }),
      ...(output === undefined ? {} : { output }),
    },
  ];
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
  approvals: readonly ApprovalRecord[],
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
    const asked = approvals.find(({ toolCallId }) => toolCallId === call.toolCallId);
    const changedArgs = asked?.changedArgs ?? memos.get(CHANGED_ARGS_MEMO);
    calls.push({
      toolCallId: call.toolCallId,
      toolName: call.name,
      args: call.args ?? call.input,
      ...(call.args === undefined ? { unparsed: true } : {}),
      ...(changedArgs === undefined ? {} : { changedArgs }),
      ...describeApproval(asked),
      ...(output === undefined ? {} : { output }),
      memos,
    });
  }
  const { id, startedAt } = record;
  const isDirect = record.direct === true;
  return { id, startedAt, isDirect, ...(message === undefined ? {} : { message }), calls, approvals };
}

function describeApproval(asked: ApprovalRecord | undefined): Pick<UnsettledCall, "approval" | "pendingApproval"> {
  if (asked === undefined) return {};
  return asked.approval === undefined ? { pendingApproval: asked.pending } : { approval: asked.approval };
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
