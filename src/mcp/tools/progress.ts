import type { ServerContext } from "@modelcontextprotocol/server";
import type { ShellOutputView } from "../../exec/index.js";
import type { ToolCallId } from "../../protocol/index.js";
import type { CallRecords } from "../call-records.js";

const MAX_PROGRESS_LENGTH = 200;

/**
 * Tells a client that asked for it how far a call is, as often as its env does and as fast as the client takes it, until this is
 * disposed of. What comes while one is under way is told with the next.
 */
export function tellProgress(records: CallRecords, toolCallId: ToolCallId, { mcpReq }: ServerContext): Disposable {
  const over = new AbortController();
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken !== undefined) {
    const send = (progress: number, message: string): Promise<void> =>
      mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } });
    // Who does not take it any more is told nothing more.
    follow(records, toolCallId, send, over.signal).catch(() => undefined);
  }
  return { [Symbol.dispose]: () => over.abort() };
}

async function follow(
  records: CallRecords,
  toolCallId: ToolCallId,
  send: (progress: number, message: string) => Promise<void>,
  over: AbortSignal,
): Promise<void> {
  let told = 0;
  while (!over.aborted) {
    const change = records.changed(over);
    const view = records.get(toolCallId)?.view;
    // The protocol wants it to grow with each.
    if (view !== undefined && view.truncation.totalBytes > told) {
      told = view.truncation.totalBytes;
      await send(told, describeProgress(view));
    }
    await change;
  }
}

function describeProgress({ text, progress, truncation }: ShellOutputView): string {
  const { totalLines, totalBytes } = truncation;
  const lastLine = progress ?? text.slice(text.lastIndexOf("\n", text.length - 2) + 1).trimEnd();
  const shown = Array.from(lastLine).slice(0, MAX_PROGRESS_LENGTH).join("");
  return `${totalLines} lines, ${totalBytes} bytes: ${shown}`;
}
