import type { Clock, ExecutionEnv, ExecutionPlan, ProcessInfo } from "../exec/index.js";
import type { LaneView } from "../lane/index.js";
import type { Model } from "../models/index.js";
import type {
  EventGroup,
  Json,
  LaneId,
  OperationId,
  OperationStatus,
  SessionId,
  ToolCallId,
  ToolEntry,
  Usage,
} from "../protocol/index.js";
import type { SessionStorage } from "../storage/index.js";
import type { AgentHarnessTool } from "../tools/index.js";
import type { HarnessCounters } from "./counters.js";

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

/** What recovery needs of the env where a call had begun an execution that cannot be taken up again. */
export interface RecoveryOptions {
  /** Stops what is left of an execution, before its call is settled, and says what could not be stopped. */
  readonly stopExecution?: ((plan: ExecutionPlan) => Promise<readonly ProcessInfo[]>) | undefined;
  /** Bytes that a spill file has now; `undefined` where there is none. */
  readonly spillBytes?: ((path: string) => Promise<number | undefined>) | undefined;
}

/** One session with its lanes. Opening starts nothing. */
export interface Harness extends AsyncDisposable {
  readonly sessionId: SessionId;
  /** The lane of this name, made when it is first asked for. Default `main`. */
  lane(id?: LaneId): Lane;
  lanes(): readonly Lane[];
  /** What was sent and stored since the harness was opened; live. */
  readonly counters: HarnessCounters;
  /**
   * Decides, from durable state alone, what becomes of operations that an earlier process left unsettled. Can be run
   * again after a failure, and then goes on where it was.
   */
  recover(): Promise<RecoveryReport>;
  /** Aborts what runs, settles it, and gives storage back. */
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
   * begins with the first and ends with the last of them. Refused as `prompt` is, where a prompt's operation runs.
   */
  call(toolName: string, args: Json): Promise<DirectCall>;
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
  /** `resumed`: its calls were taken up again in an env that had outlived their process, and it went on to its own end. */
  readonly outcome: "interrupted" | "resumed";
  /** How it settled. */
  readonly status: OperationStatus;
  readonly reason?: string;
}
