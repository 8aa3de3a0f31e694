import type { Clock, ExecutionEnv } from "../exec/index.js";
import type { Model, ToolDefinition } from "../models/index.js";
import type { SessionStorage } from "../storage/index.js";
import { toolDefinition } from "../tools/index.js";
import type { AgentHarnessTool } from "../tools/index.js";
import type { RecoveryOptions } from "./contract.js";
import type { StreamCounters } from "./counters.js";
import type { IdKind } from "./ids.js";
import type { Durability } from "./journal.js";
import type { Limits } from "./limits.js";
import type { BeforeTool } from "./permission/contract.js";
import type { PolicyKeeper } from "./permission/policy.js";

/** What every lane and operation of one harness shares; options with their defaults filled in. */
export interface Runtime {
  readonly storage: SessionStorage;
  readonly env: ExecutionEnv;
  readonly model: Model;
  /** Offered to the model from the start. */
  readonly tools: readonly OfferedTool[];
  /** Offered once a call has named them. */
  readonly deferredTools: readonly OfferedTool[];
  readonly system: string | undefined;
  readonly limits: Limits;
  readonly policy: PolicyKeeper;
  readonly beforeTool: BeforeTool | undefined;
  readonly durability: Durability;
  readonly recovery: RecoveryOptions;
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  readonly newId: (kind: IdKind) => string;
  readonly counters: { readonly tools: StreamCounters; readonly messages: StreamCounters };
}

/** A tool beside what the model is told of it. */
export interface OfferedTool {
  readonly tool: AgentHarnessTool;
  readonly definition: ToolDefinition;
}

/** Throws a ToolError for a tool that no model could be told of. */
export function offerTool(tool: AgentHarnessTool): OfferedTool {
  return { tool, definition: toolDefinition(tool) };
}

export function findTool(runtime: Runtime, name: string): AgentHarnessTool | undefined {
  return [...runtime.tools, ...runtime.deferredTools].find(({ tool }) => tool.name === name)?.tool;
}
