import { getOrThrow } from "../exec/index.js";
import type { ExecutionInfo, KillReport, OwnedExecution } from "../exec/index.js";
import type { CallRecord, ExecutionStatus } from "./call-records.js";
import type { McpWork } from "./contract.js";
import { McpError } from "./errors.js";

/** An execution that a client may ask for: of this session, or of another one of the same root. */
export interface FoundExecution {
  readonly id: string;
  readonly session: string;
  /** What this session knows of it, where it is its own. */
  readonly record: CallRecord | undefined;
  /** What the env has of it, as long as it does. */
  readonly info: ExecutionInfo | undefined;
}

/** `left`: its shell has ended, processes of it go on. `ended`: nobody has taken its result yet. */
export type ListedStatus = ExecutionStatus | "left" | "ended";

/** Every execution that there is to know of, the one that began last first. */
export async function listExecutions(work: McpWork): Promise<readonly FoundExecution[]> {
  const [own, others] = await Promise.all([work.env.list(), work.others()]);
  const infos = new Map(own.map((info) => [info.executionId, info]));
  const known = work.records.list().flatMap((record): FoundExecution[] => {
    const { executionId: id } = record;
    return id === undefined ? [] : [{ id, session: work.session, record, info: infos.get(id) }];
  });
  const ids = new Set(known.map(({ id }) => id));
  const further = [
    ...own.map((info): OwnedExecution => ({ ...info, owner: work.session })),
    ...others.filter(({ owner }) => owner !== work.session),
  ].filter(({ executionId }) => !ids.has(executionId));
  const rest = further.map(({ owner, ...info }) => ({
    id: info.executionId,
    session: owner,
    record: undefined,
    info,
  }));
  return [...known, ...rest].sort((a, b) => startOf(b) - startOf(a));
}

/** @throws {McpError} `execution_unknown` */
export async function findExecution(work: McpWork, id: string): Promise<FoundExecution> {
  const found = (await listExecutions(work)).find((execution) => execution.id === id);
  if (found !== undefined) return found;
  throw new McpError("execution_unknown", `id: no execution ${id} is known here; bash_list names those that are`);
}

export function statusOf({ record, info }: FoundExecution): ListedStatus {
  if (info?.state === "left") return "left";
  return record?.status ?? info?.state ?? "failed";
}

/** Whether there is something of it to be stopped. */
export function goesOn(found: FoundExecution): boolean {
  const status = statusOf(found);
  return status === "running" || status === "left";
}

/** Stops it with all its processes. */
export async function killExecution(work: McpWork, { id }: FoundExecution): Promise<KillReport> {
  return getOrThrow(await work.env.kill(id));
}

export function startOf({ record, info }: FoundExecution): number {
  return record?.startedAt ?? info?.startedAt ?? 0;
}
