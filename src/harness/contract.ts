import type { Clock, ExecutionEnv, ExecutionPlan, ProcessInfo } from "../exec/index.js";
import type { LaneView } from "../lane/index.js";
import type { Model } from "../models/index.js";
import type {
  EntryId,
  EventGroup,
  Json,
  LaneId,
  OperationId,
  OperationStatus,
  QueuedMessage,
  SessionId,
  ToolCallId,
  ToolEntry,
  Usage,
} from "../protocol/index.js";
import type { SessionStorage } from "../storage/index.js";
import type { AgentHarnessTool } from "../tools/index.js";
import type { HarnessCounters } from "./counters.js";
import type { BeforeTool, Decision, PermissionPolicy } from "./permission/contract.js";

export interface HarnessOptions {
  /** The session's storage, opened for writing. The harness closes it. */
  readonly storage: SessionStorage;
  /** Where tools run. The harness binds it to each call; it does not close it. */
  readonly env: ExecutionEnv;
  readonly model: Model;
  readonly tools: readonly AgentHarnessTool[];
  /** Offered to the model only after a call made them available by name. */
  readonly deferredTools?: readonly AgentHarnessTool[] | undefined;
  /** What the model is told before everything else. */
  readonly system?: string | undefined;
  /** Most calls of one turn that run at a time. Default 8. */
  readonly maxParallelCalls?: number | undefined;
  /** Most requests to the model of one operation, tries of the same request not counted. Default 500. */
  readonly maxTurns?: number | undefined;
  readonly retry?: RetryOptions | undefined;
  readonly context?: ContextOptions | undefined;
  /**
   * Which tools may be run, must be asked for, or are refused. In force from the opening on and stored with the next prompt;
   * where it is not given, the one stored with the session is, and else everything is allowed.
   */
  readonly policy?: PermissionPolicy | undefined;
  /** Decides about each call before it is run. */
  readonly beforeTool?: BeforeTool | undefined;
  readonly durability?: DurabilityOptions | undefined;
  readonly recovery?: RecoveryOptions | undefined;
  readonly clock?: Clock | undefined;
  /** Gives numbers from 0 up to 1, as Math.random does; ids are made of them. */
  readonly random?: (() => number) | undefined;
}

/** When output that is already visible is also stored. Whichever is met first. */
export interface DurabilityOptions {
  /** Default 1,000. */
  readonly intervalMs?: number | undefined;
  /** Encoded bytes. Default 65,536. */
  readonly maxBytes?: number | undefined;
  /** List elements after which a recovery base is written. Default 64. */
  readonly baseElements?: number | undefined;
}

/** When a model is asked again. Only what it calls retryable is, and what stalls. */
export interface RetryOptions {
  /** Requests in all, the first included. Default 6. */
  readonly maxAttempts?: number | undefined;
  /** The wait after the first failure; it doubles with each, and varies at random between half of it and all. Default 1,000. */
  readonly baseDelayMs?: number | undefined;
  /** Default 60,000. */
  readonly maxDelayMs?: number | undefined;
  /** A model that asks to be left alone for longer is not asked again. Default 300,000. */
  readonly maxRetryAfterMs?: number | undefined;
  /** How long a model may give no part before its answer counts as failed. Default 180,000. */
  readonly stallMs?: number | undefined;
}

/** When the transcript is summed up for the model. It always is where the model says that a request was too long. */
export interface ContextOptions {
  /** What a request and its answer may hold. Default: what the model states, if it does. */
  readonly maxTokens?: number | undefined;
  /** Which part of it may be used before a summary is made, 0 to 1. Default 0.8. */
  readonly summarizeAt?: number | undefined;
  /** How many of the last answers, with the results of their calls, stay as they are. Default 3. */
  readonly keepAnswers?: number | undefined;
}

/** What recovery needs of the env where a call had begun an execution that cannot be taken up again. */
export interface RecoveryOptions {
  /** Stops what is left of an execution, before its call is settled, and says what could not be stopped. */
  readonly stopExecution?: ((plan: ExecutionPlan) => Promise<readonly ProcessInfo[]>) | undefined;
  /** Bytes that a spill file has now; `undefined` where there is none. */
  readonly spillBytes?: ((path: string) => Promise<number | undefined>) | undefined;
  /**
   * What becomes of an operation one of whose calls was interrupted, so that its effects are uncertain. `goOn`: the model is
   * told and goes on. `settle`: the operation settles as interrupted. Default `goOn`.
   */
  readonly afterInterruption?: "goOn" | "settle" | undefined;
}

/** One session with its lanes. Opening starts nothing. */
export interface Harness extends AsyncDisposable {
  readonly sessionId: SessionId;
  /** The lane of this name, made when it is first asked for. Default `main`. */
  lane(id?: LaneId): Lane;
  lanes(): readonly Lane[];
  /**
   * A new lane that begins with what a lane holds up to and with an entry. Durable when the promise resolves; nothing is
   * copied.
   */
  forkLane(from: LaneId, entryId: EntryId, to: LaneId): Promise<Lane>;
  /** The policy in force. */
  readonly policy: PermissionPolicy;
  /** Replaces it; durable when the promise resolves. Calls that wait for an approval go on to wait. */
  setPolicy(policy: PermissionPolicy): Promise<void>;
  /** What was sent and stored since the harness was opened; live. */
  readonly counters: HarnessCounters;
  /**
   * Decides, from durable state alone, what becomes of operations that an earlier process left unsettled. Can be run
   * again after a failure, and then goes on where it was. Resolves when those operations have settled, which for one that
   * waits for an approval is after that: lanes take approvals, messages and aborts meanwhile.
   */
  recover(): Promise<RecoveryReport>;
  /**
   * Aborts what runs, settles it, and gives storage back. An operation that does nothing but wait for approvals is left as
   * it is, for the next `recover()`.
   */
  close(): Promise<void>;
}

export interface Lane {
  readonly id: LaneId;
  /** The lane as it is now; a copy. */
  view(): LaneView;
  /**
   * Accepts a prompt: durable when the promise resolves. Refused with `lane_busy` while an operation runs, and with
   * `unsettled` while one of an earlier process waits for `recover()`.
   */
  prompt(text: string): Promise<Operation>;
  /**
   * Calls a tool without a model; the call is durable when the promise resolves. Calls run side by side in one operation, which
   * begins with the first and ends with the last of them. Refused as `prompt` is, where a prompt's operation runs. Neither the
   * policy nor `beforeTool` is asked: whoever makes the call permits it.
   */
  call(toolName: string, args: Json): Promise<DirectCall>;
  /**
   * Says something to the operation that runs: it joins at the next request to the model. Durable when the promise
   * resolves. Refused with `lane_idle` where no model's operation runs. What has not joined when its operation ends waits for
   * the next.
   */
  steer(text: string): Promise<QueuedMessage>;
  /** The same, but it joins when the operation would end, which then goes on with it; one at a time. */
  followUp(text: string): Promise<QueuedMessage>;
  /** Takes back a message that has not joined; durable when the promise resolves. False where it has, or never was. */
  withdraw(id: EntryId): Promise<boolean>;
  /** Decides about a call that waits for it; durable when the promise resolves. Refused with `unknown_approval`. */
  approve(toolCallId: ToolCallId, decision: Decision): Promise<void>;
  /** Stops what runs here, also what `recover()` took up again; see {@link Operation.abort}. False where nothing does. */
  abort(reason?: string): boolean;
  /** Hands over the view, then every later group of events, none twice. */
  subscribe(subscriber: LaneSubscriber): () => void;
}

/** Must not throw: one that does is given nothing more. */
export interface LaneSubscriber {
  /** Called once, before `subscribe` returns. */
  open(view: LaneView): void;
  receive(group: EventGroup): void;
  /** The harness was closed; nothing follows. */
  end(): void;
}

export interface Operation {
  readonly id: OperationId;
  readonly laneId: LaneId;
  /** Stops every call and the model; the operation then settles as aborted, within 3 s of it. */
  abort(reason?: string): void;
  /** Never rejects. */
  readonly settled: Promise<OperationResult>;
}

/** A call that no model made. */
export interface DirectCall {
  readonly toolCallId: ToolCallId;
  readonly operationId: OperationId;
  /** Stops this call alone; it then settles as aborted. */
  abort(reason?: string): void;
  /** The call's entry, once it is stored. Rejects only where storage does. */
  readonly settled: Promise<ToolEntry>;
}

export interface OperationResult {
  readonly operationId: OperationId;
  readonly status: OperationStatus;
  readonly reason?: string;
  readonly usage: Usage;
}

export interface RecoveryReport {
  readonly operations: readonly RecoveredOperation[];
}

export interface RecoveredOperation {
  readonly operationId: OperationId;
  readonly laneId: LaneId;
  /** `resumed`: it went on to its own end. `interrupted`: it ended with what was stored of it. */
  readonly outcome: "interrupted" | "resumed";
  /** How it settled. */
  readonly status: OperationStatus;
  readonly reason?: string;
}
