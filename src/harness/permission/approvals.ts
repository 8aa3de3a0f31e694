import type { Approval, LaneId, OperationId, ToolCallId, TurnId } from "../../protocol/index.js";
import { sessionScope } from "../../storage/index.js";
import type { SessionTransaction } from "../../storage/index.js";
import { laneApprovals } from "../addresses.js";
import type { Call } from "../entries.js";
import { HarnessError } from "../errors.js";
import type { ApprovalRecord } from "../record.js";
import type { Runtime } from "../runtime.js";
import type { Decision } from "./contract.js";

export const MAX_DECISION_REASON_BYTES = 4_096;

interface WaitingCall {
  readonly turnId: TurnId;
  readonly resolve: (approval: Approval) => void;
  readonly reject: (error: unknown) => void;
}

/** The calls of one operation about which someone is asked: durable before anyone is, and until the operation ends. */
export class Approvals {
  readonly #runtime: Runtime;
  readonly #laneId: LaneId;
  readonly #waiting = new Map<ToolCallId, WaitingCall>();
  #records: readonly ApprovalRecord[];

  constructor(runtime: Runtime, laneId: LaneId, operationId: OperationId, stored: readonly ApprovalRecord[]) {
    this.#runtime = runtime;
    this.#laneId = laneId;
    this.#records = stored.filter((record) => record.operationId === operationId);
  }

  /** Calls that wait for a decision. */
  get waiting(): number {
    return this.#waiting.size;
  }

  find(toolCallId: ToolCallId): ApprovalRecord | undefined {
    return this.#records.find((record) => record.toolCallId === toolCallId);
  }

  /** Stores that someone is to be asked. */
  async request(record: ApprovalRecord): Promise<void> {
    await this.#runtime.storage.commit(sessionScope, (transaction) => {
      this.#state(transaction, [...this.#records, record]);
    });
  }

  /** What is decided about a call, or the signal's reason. */
  wait({ toolCallId, turnId }: Pick<Call, "toolCallId" | "turnId">, signal: AbortSignal): Promise<Approval> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(toolCallId);
        reject(signal.reason);
      };
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      const done = (): void => signal.removeEventListener("abort", stop);
      this.#waiting.set(toolCallId, {
        turnId,
        resolve: (approval) => (done(), resolve(approval)),
        reject: (error) => (done(), reject(error)),
      });
    });
  }

  /** Stores a decision, with the policy that it makes where it is one for always. Gives it once it is durable. */
  async decide(
    toolCallId: ToolCallId,
    toolName: string,
    { decision, reason, always }: Decision,
  ): Promise<{ readonly turnId: TurnId; readonly approval: Approval }> {
    checkDecision(decision, reason);
    const { storage, policy, clock } = this.#runtime;
    const changed = always === true ? policy.with(toolName, decision === "allow" ? "allow" : "refuse") : undefined;
    const approval: Approval = { decision, at: clock.now(), ...(reason === undefined ? {} : { reason }) };
    const { value: turnId } = await storage.commit(sessionScope, (transaction) => {
      const record = this.find(toolCallId);
      const waiting = this.#waiting.get(toolCallId);
      // Of two decisions in one moment the second finds nothing to decide, and so does one of a call that was stopped.
      if (record === undefined || record.approval !== undefined || waiting === undefined) {
        throw unknownApproval(toolCallId);
      }
      if (changed !== undefined) policy.stateNew(transaction, changed);
      this.#state(
        transaction,
        this.#records.map((other) => (other === record ? { ...record, approval } : other)),
      );
      return waiting.turnId;
    });
    if (changed !== undefined) policy.replace(changed);
    return { turnId, approval };
  }

  /** Lets the call go on with its decision. */
  release(toolCallId: ToolCallId, approval: Approval): void {
    const waiting = this.#waiting.get(toolCallId);
    this.#waiting.delete(toolCallId);
    waiting?.resolve(approval);
  }

  /** Ends the waiting without a decision; what is stored goes on to wait. */
  suspend(error: unknown): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }

  /** States, with the end of the operation, that nothing is asked any more. */
  clear(transaction: SessionTransaction): void {
    if (this.#records.length > 0) transaction.delete(laneApprovals(this.#laneId));
  }

  #state(transaction: SessionTransaction, records: readonly ApprovalRecord[]): void {
    transaction.set(laneApprovals(this.#laneId), records);
    this.#records = records;
  }
}

export function unknownApproval(toolCallId: ToolCallId): HarnessError {
  return new HarnessError(
    "unknown_approval",
    `No call ${toolCallId} of this lane waits for a decision; look at its view.`,
  );
}

function checkDecision(decision: unknown, reason: string | undefined): void {
  if (decision !== "allow" && decision !== "deny") {
    throw new HarnessError("invalid_argument", `A decision is "allow" or "deny", not ${JSON.stringify(decision)}.`);
  }
  const bytes = Buffer.byteLength(reason ?? "");
  if (bytes <= MAX_DECISION_REASON_BYTES) return;
  throw new HarnessError(
    "invalid_argument",
    `The reason of a decision has at most ${MAX_DECISION_REASON_BYTES} bytes; this one has ${bytes}.`,
  );
}
