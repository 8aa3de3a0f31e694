import { holdsNothing } from "../output/display.js";
import { JsonLines } from "../output/json-lines.js";
import { openWindow } from "../output/window.js";
import type { SessionId } from "../../protocol/index.js";
import type { TextOutput } from "../terminal/text-output.js";
import type { ConversationView } from "./view.js";

export interface JsonViewOptions {
  readonly output: TextOutput;
  readonly session: SessionId;
  /** Asks for a base, which is shown before it returns. */
  readonly resync: () => void;
}

/** One JSON object a line: `open`, each message as on the wire as `batch`, `result`. */
export function createJsonView({ output, session, resync }: JsonViewOptions): ConversationView {
  const lines = new JsonLines(output, resync);
  // The lines are of the chat, not of one call's window.
  const window = openWindow(undefined, false);
  let isOpen = false;
  return {
    ...holdsNothing,
    show(state, json) {
      if (!isOpen) lines.open(session, state.operation?.id ?? null);
      isOpen = true;
      lines.show(window, json);
    },
    remark: () => undefined,
    async settle({ operationId, status, reason, text, usage, durationMs }) {
      await lines.finish();
      const result = { type: "result", session, operation: operationId, status, reason: reason ?? null };
      output.write(`${JSON.stringify({ ...result, text, usage, durationMs: Math.round(durationMs) })}\n`);
      await output.idle();
    },
    close: () => output.idle(),
  };
}
