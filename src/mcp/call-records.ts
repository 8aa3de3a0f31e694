import { applyShellOutputUpdate } from "../exec/index.js";
import type { ExecError, ExecResult, Result, ShellOutputUpdate, ShellOutputView } from "../exec/index.js";
import type { LaneSubscriber } from "../harness/index.js";
import type { Entry, Json, ToolCallId, ToolEntry } from "../protocol/index.js";
import { Changes } from "./changes.js";

/** How an execution stands, or how it ended. */
export type ExecutionStatus = "running" | "exited" | "signalled" | "timed_out" | "stopped" | "interrupted" | "failed";

/** An execution as the session knows it that began it. */
export interface CallRecord {
  readonly toolCallId: ToolCallId;
  readonly command: string;
  readonly cwd: string;
  /** Unix milliseconds; absent for those of an earlier process. */
  readonly startedAt?: number | undefined;
  /** Absent until its plan is fixed. */
  readonly executionId?: string | undefined;
  readonly status: ExecutionStatus;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs?: number | undefined;
  /** Absent until its output is opened. */
  readonly view?: ShellOutputView | undefined;
}

/** What the call's details hold of it for whoever reads the session later. */
export interface ExecutionDetails {
  executionId?: string;
  cwd?: string;
  status?: ExecutionStatus;
  exitCode?: number | null;
  signal?: string | null;
  durationMs?: number;
  spillPath?: string;
}

/** Settled ones that are remembered; older ones are in the session alone. */
export const MAX_SETTLED_RECORDS = 200;

/** The executions of a session, those that run and the last of those that do not. */
export class CallRecords {
  readonly #records = new Map<ToolCallId, CallRecord>();
  readonly #changes = new Changes();
  /** By call, what an earlier process had planned. */
  readonly #plans = new Map<ToolCallId, string>();

  /** Takes in the calls that the session holds already. */
  restore(transcript: readonly Entry[], plans: ReadonlyMap<ToolCallId, string>): void {
    for (const entry of transcript.slice(-2 * MAX_SETTLED_RECORDS)) {
      if (entry.type === "tool" && entry.toolName === "bash") this.#records.set(entry.toolCallId, restoreRecord(entry));
    }
    for (const [call, executionId] of plans) this.#plans.set(call, executionId);
    this.#forgetOldest();
  }

  list(): readonly CallRecord[] {
    return [...this.#records.values()];
  }

  find(executionId: string): CallRecord | undefined {
    return this.list().find((record) => record.executionId === executionId);
  }

  get(toolCallId: ToolCallId): CallRecord | undefined {
    return this.#records.get(toolCallId);
  }

  begin(toolCallId: ToolCallId, begun: Pick<CallRecord, "command" | "cwd" | "startedAt">): void {
    const executionId = this.#plans.get(toolCallId);
    this.#records.set(toolCallId, {
      toolCallId,
      ...begun,
      executionId,
      status: "running",
      exitCode: null,
      signal: null,
    });
    this.#changes.tell();
  }

  plan(toolCallId: ToolCallId, executionId: string): void {
    this.#change(toolCallId, { executionId });
  }

  update(toolCallId: ToolCallId, update: ShellOutputUpdate): void {
    this.#change(toolCallId, { view: applyShellOutputUpdate(this.#records.get(toolCallId)?.view, update) });
  }

  /** The env has given the end; what follows is the call's. */
  end(toolCallId: ToolCallId, ended: Result<ExecResult, ExecError>): void {
    this.#change(toolCallId, describeEnd(ended));
    this.#forgetOldest();
  }

  /** Resolves with the next change of any of them, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return this.#changes.next(signal);
  }

  /** What hears of calls that ended without their tool: those that were lost, or never began. */
  subscriber(): LaneSubscriber {
    return {
      open: () => undefined,
      receive: (group) => {
        for (const event of group) {
          if (event.type !== "tool_end" || this.#records.get(event.toolCallId)?.status !== "running") continue;
          this.#change(event.toolCallId, { status: event.stopped === "aborted" ? "stopped" : "failed" });
        }
      },
      end: () => this.#changes.tell(),
    };
  }

  #change(toolCallId: ToolCallId, change: Partial<CallRecord>): void {
    const record = this.#records.get(toolCallId);
    if (record === undefined) return;
    this.#records.set(toolCallId, { ...record, ...change });
    this.#changes.tell();
  }

  #forgetOldest(): void {
    const settled = this.list().filter(({ status }) => status !== "running");
    for (const { toolCallId } of settled.slice(0, -MAX_SETTLED_RECORDS)) this.#records.delete(toolCallId);
  }
}

export function describeEnd(
  ended: Result<ExecResult, ExecError>,
): Pick<CallRecord, "status" | "exitCode" | "signal" | "durationMs"> {
  const result = ended.ok ? ended.value : ended.error.result;
  return {
    status: ended.ok ? "exited" : (STATUSES[ended.error.code] ?? "failed"),
    exitCode: result?.exitCode ?? null,
    signal: result?.signal ?? null,
    durationMs: result && Math.round(result.durationMs),
  };
}

const STATUSES: Readonly<Partial<Record<ExecError["code"], ExecutionStatus>>> = {
  signal: "signalled",
  timeout: "timed_out",
  aborted: "stopped",
  abandoned: "stopped",
  env_closed: "stopped",
  execution_lost: "interrupted",
  link_lost: "interrupted",
};

function restoreRecord({ toolCallId, args, isError, stopped, output, at }: ToolEntry): CallRecord {
  const details = readDetails(output.details);
  const text = output.content.find((block) => block.type === "text" && block.notice !== true);
  const { durationMs, spillPath } = details;
  return {
    toolCallId,
    command: readCommand(args),
    cwd: details.cwd ?? "",
    startedAt: durationMs === undefined ? undefined : at - durationMs,
    executionId: details.executionId,
    status: details.status ?? (stopped === "interrupted" ? "interrupted" : isError ? "failed" : "exited"),
    exitCode: details.exitCode ?? null,
    signal: details.signal ?? null,
    durationMs,
    view: {
      text: text?.type === "text" ? text.text : "",
      truncation: output.truncation,
      ...(spillPath === undefined ? {} : { spillPath }),
    },
  };
}

/** What a session's log says is as good as what wrote it. */
export function readDetails(details: Json): ExecutionDetails {
  return typeof details === "object" && details !== null && !Array.isArray(details) ? details : {};
}

function readCommand(args: Json): string {
  const command = typeof args === "object" && args !== null && !Array.isArray(args) ? args["command"] : undefined;
  return typeof command === "string" ? command : "";
}
