import type { Clock, ExecutionEnv } from "../exec/index.js";
import type { Model } from "../models/index.js";
import type { SessionStorage } from "../storage/index.js";
import type { AgentHarnessTool } from "../tools/index.js";
import type { RecoveryOptions } from "./contract.js";
import type { StreamCounters } from "./counters.js";
import type { IdKind } from "./ids.js";
import type { Durability } from "./journal.js";

/** What every lane and operation of one harness shares; options with their defaults filled in. */
export interface Runtime {
  readonly storage: SessionStorage;
  readonly env: ExecutionEnv;
  readonly model: Model;
  /** Offered to the model from the start. */
  readonly tools: readonly AgentHarnessTool[];
  /** Offered once a call has named them. */
  readonly deferredTools: readonly AgentHarnessTool[];
  readonly system: string | undefined;
  readonly maxParallelCalls: number;
  readonly durability: Durability;
  readonly recovery: RecoveryOptions;
  readonly clock: Clock;
  readonly newId: (kind: IdKind) => string;
  readonly counters: { readonly tools: StreamCounters; readonly messages: StreamCounters };
}

export function findTool(runtime: Runtime, name: string): AgentHarnessTool | undefined {
  return [...runtime.tools, ...runtime.deferredTools].find((tool) => tool.name === name);
}
