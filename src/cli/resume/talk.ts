import type { RecoveredOperation } from "../../harness/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import type { Shows } from "../options/shows.js";
import { openTextOutput } from "../terminal/text-output.js";
import type { TextOutput } from "../terminal/text-output.js";

/** What is said of a resumption beside the output itself: as lines of JSON, or on standard error. */
export interface Talk {
  /** Standard output. */
  readonly output: TextOutput;
  nothingToDo(what: string, session?: SessionId): Promise<void>;
  settled(session: SessionId, operation: RecoveredOperation): Promise<void>;
  remark(text: string): void;
  idle(): Promise<void>;
}

export function openTalk(shows: Shows, context: CliContext): Talk {
  const output = openTextOutput(context.stdout);
  return shows === "json" ? talkJson(output) : talkText(output, shows === "result", context);
}

function talkJson(output: TextOutput): Talk {
  const settle = (line: object): Promise<void> => {
    output.write(`${JSON.stringify({ type: "settled", ...line })}\n`);
    return output.idle();
  };
  return {
    output,
    nothingToDo: (reason, session) => settle({ session: session ?? null, operation: null, status: null, reason }),
    settled: (session, { operationId: operation, outcome, status, reason }) =>
      settle({ session, operation, outcome, status, reason: reason ?? null }),
    remark: () => undefined,
    idle: () => output.idle(),
  };
}

function talkText(output: TextOutput, isQuiet: boolean, context: CliContext): Talk {
  const errors = openTextOutput(context.stderr);
  const remark = (text: string): void => (isQuiet ? undefined : errors.write(`spillway: ${text}\n`));
  return {
    output,
    async nothingToDo(what) {
      remark(what);
      await errors.idle();
    },
    async settled(session, { status, reason }) {
      await output.idle();
      remark(`session ${session} is settled as ${status}${reason === undefined ? "" : `: ${reason}`}`);
    },
    remark,
    async idle() {
      await output.idle();
      await errors.idle();
    },
  };
}
