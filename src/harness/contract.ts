import type { Clock, ExecutionEnv } from "../exec/index.js";
import type { LaneView } from "../lane/index.js";
import type { Model } from "../models/index.js";
import type { EventGroup, LaneId, OperationId, OperationStatus, SessionId, Usage } from "../protocol/index.js";
import type { SessionStorage } from "../storage/index.js";
import type { AgentHarnessTool } from "../tools/index.js";

export interface HarnessOptions {
  /** The session's storage, opened for writing. The harness closes it. */
  readonly storage: SessionStorage;
  /** Where tools run. The harness binds it to each call; it does not close it. */
  readonly env: ExecutionEnv;
  readonly model: Model;
  readonly tools: readonly AgentHarnessTool[];
  /** What the model is told before everything else. */
  readonly system?: string | undefined;
  /** Most calls of one turn that run at a time. Default 8. */
  readonly maxParallelCalls?: number | undefined;
  readonly durability?: DurabilityOptions | undefined;
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

/** One session with its lanes. Opening starts nothing. */
export interface Harness extends AsyncDisposable {
  readonly sessionId: SessionId;
  /** The lane of this name, made when it is first asked for. Default `main`. */
  lane(id?: LaneId): Lane;
  lanes(): readonly Lane[];
  /** Decides, from durable state alone, what becomes of operations that an earlier process left unsettled. */
  recover(): Promise<RecoveryReport>;
  /** Aborts what runs, settles it, and gives storage back. */
  close(): Promise<void>;
}

export interface Lane {
  readonly id: LaneId;
  /** The lane as it is now; a copy. */
  view(): LaneView;
  /** Accepts a prompt: durable when the promise resolves. Refused with `lane_busy` while an operation runs. */
  prompt(text: string): Promise<Operation>;
  /** Hands over the view, then every later group of events, none twice. */
  subscribe(subscriber: LaneSubscriber): () => void;
}

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
  /** Stops every call and the model; the operation then settles as aborted. */
  abort(reason?: string): void;
  /** Never rejects. */
  readonly settled: Promise<OperationResult>;
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
  readonly outcome: "interrupted" | "resumed";
}
