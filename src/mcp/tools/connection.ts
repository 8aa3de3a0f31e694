import { SdkError, SdkErrorCode } from "@modelcontextprotocol/server";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import type { DirectCall } from "../../harness/index.js";
import type { Json } from "../../protocol/index.js";
import { DEFAULT_MAX_CALLS } from "../contract.js";
import type { McpServerOptions, McpWork } from "../contract.js";
import type { ReadPlaces } from "../output/output-page.js";
import { CallSlots } from "./call-slots.js";
import { makeFailure } from "./results.js";

/** What the connections of one server share. */
export interface McpShared {
  readonly options: McpServerOptions;
  readonly places: ReadPlaces;
  readonly slots: CallSlots;
}

/** What becomes of calls whose client has closed the connection: `stop` where that is how it cancels them. */
export type OnClose = "stop" | "goOn";

/** One client's connection, or one of its requests. */
export interface McpConnection extends McpShared {
  readonly onClose: OnClose;
}

export function createShared(options: McpServerOptions): McpShared {
  return { options, places: new Map(), slots: new CallSlots(options.maxCalls ?? DEFAULT_MAX_CALLS) };
}

/** Begins a call of the session. @throws {McpError} `too_many_calls` */
export async function beginCall(
  { slots }: McpShared,
  work: McpWork,
  toolName: string,
  args: object,
): Promise<DirectCall> {
  const free = slots.take();
  try {
    const call = await work.lane.call(toolName, args as Json);
    call.settled.then(free, free);
    return call;
  } catch (error) {
    free();
    throw error;
  }
}

/** Stops the call when its client cancels it, which it can do until this is disposed of. */
export function heedCancellation(call: DirectCall, { mcpReq }: ServerContext, onClose: OnClose): Disposable {
  const { signal } = mcpReq;
  const stop = (): void => {
    if (onClose === "stop" || !isClosed(signal.reason)) call.abort("the client cancelled it");
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", stop) };
}

/** Whether the connection ended, and with it every request of it. */
function isClosed(reason: unknown): boolean {
  return reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;
}

/** Gives a failure in words to the model: a fault of the protocol would be told to nobody. */
export async function answering(answer: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await answer();
  } catch (error) {
    return makeFailure(error);
  }
}
