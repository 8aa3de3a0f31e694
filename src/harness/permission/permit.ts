import type { Approval } from "../../protocol/index.js";
import { validateParameters } from "../../tools/index.js";
import type { AgentHarnessTool } from "../../tools/index.js";
import type { Call } from "../entries.js";
import { describeError, HarnessError } from "../errors.js";
import type { OperationRun } from "../operation-run.js";
import { offeredTools } from "../request.js";
import { withinAbort } from "../until.js";
import type { Verdict } from "./contract.js";

/** A call as it stands once it was decided about; with an error it is not to be run. */
export type DecidedCall =
  | { readonly call: Call; readonly params: unknown }
  | { readonly call: Call; readonly error: unknown };

/**
 * Decides about a call before anything of it is run: its arguments, the policy, the hook, and whoever is asked. What an
 * earlier process asked is not asked again. Rejects only where storage does, and where the operation is left to the next
 * process.
 */
export async function decideCall(
  run: OperationRun,
  call: Call,
  tool: AgentHarnessTool | undefined,
): Promise<DecidedCall> {
  const draft: Draft = { call };
  try {
    if (tool === undefined) throw unknownTool(run, call);
    const params = await permit(run, draft, tool);
    return { call: draft.call, params };
  } catch (error) {
    if (run.suspended || draft.isUnstored === true) throw error;
    return { call: draft.call, error };
  }
}

/** What is known of the call so far, for its record. */
interface Draft {
  call: Call;
  /** Set while storage is at work: its faults are not the call's. */
  isUnstored?: boolean;
}

async function permit(run: OperationRun, draft: Draft, tool: AgentHarnessTool): Promise<unknown> {
  const { call } = draft;
  const params = await validateArguments(tool, call);
  const asked = run.approvals.find(call.toolCallId);
  if (asked !== undefined) {
    const { changedArgs, approval } = asked;
    if (changedArgs !== undefined) draft.call = { ...call, changedArgs };
    return obey(draft, tool, approval ?? (await run.waitForApproval(draft.call)));
  }
  const permission = run.runtime.policy.permissionOf(call.toolName);
  if (permission === "refuse") {
    throw new HarnessError("refused", `The policy of this session refuses ${call.toolName}; go on without it.`);
  }
  const verdict = await askHook(run, call, permission);
  if (verdict?.decision === "block") throw new HarnessError("refused", `The call was not run: ${verdict.reason}`);
  if (verdict?.decision === "change") draft.call = { ...call, changedArgs: verdict.args };
  const given = draft.call === call ? params : await readPermitted(tool, draft.call);
  if (!mustAsk(verdict, permission)) return given;
  draft.isUnstored = true;
  await run.askApproval(draft.call, verdict?.decision === "ask" ? verdict.reason : undefined);
  draft.isUnstored = false;
  return obey(draft, tool, await run.waitForApproval(draft.call));
}

/** What a tool is given of a call that was permitted before. */
export function readPermitted(tool: AgentHarnessTool, call: Call): Promise<unknown> {
  return call.changedArgs === undefined ? validateArguments(tool, call) : validateParameters(tool, call.changedArgs);
}

/** What a tool is given of a call that needs no permission. */
export async function readArguments(
  run: OperationRun,
  call: Call,
  tool: AgentHarnessTool | undefined,
): Promise<unknown> {
  if (tool === undefined) throw unknownTool(run, call);
  return validateArguments(tool, call);
}

async function askHook(run: OperationRun, call: Call, permission: "allow" | "ask"): Promise<Verdict | undefined> {
  const { beforeTool } = run.runtime;
  if (beforeTool === undefined) return undefined;
  const { toolCallId, toolName, args } = call;
  const { id: operationId, laneId, signal } = run;
  const asked = { laneId, operationId, toolCallId, toolName, args: structuredClone(args), permission, signal };
  try {
    return await withinAbort(async () => beforeTool(asked), signal);
  } catch (error) {
    signal.throwIfAborted();
    // A fault of what guards the tools lets nothing through.
    throw new HarnessError("refused", `The call was not run: what decides about it failed: ${describeError(error)}`);
  }
}

/** A hook may spare someone the question, or ask where the policy would not. */
function mustAsk(verdict: Verdict | undefined, permission: "allow" | "ask"): boolean {
  if (verdict?.decision === "allow") return false;
  return verdict?.decision === "ask" || permission === "ask";
}

async function obey(draft: Draft, tool: AgentHarnessTool, approval: Approval): Promise<unknown> {
  draft.call = { ...draft.call, approval };
  if (approval.decision === "allow") return readPermitted(tool, draft.call);
  const why = approval.reason === undefined ? "" : `: ${approval.reason}`;
  throw new HarnessError("refused", `The call was not run, because it was denied${why}`);
}

async function validateArguments(tool: AgentHarnessTool, call: Call): Promise<unknown> {
  if (call.unparsed === true) {
    throw new HarnessError(
      "invalid_arguments",
      `The arguments of ${call.toolName} are not valid JSON; state them anew.`,
    );
  }
  return validateParameters(tool, call.args);
}

function unknownTool(run: OperationRun, call: Call): HarnessError {
  const names = offeredTools(run.runtime, run.feed.view.transcript).map(({ tool }) => tool.name);
  const known = names.length === 0 ? "There are none." : `There are: ${names.join(", ")}.`;
  return new HarnessError("unknown_tool", `There is no tool "${call.toolName}". ${known}`);
}
