import type { SessionId, ToolCallId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { EXIT_NOT_COMPLETED, EXIT_OK, exitCodeOfSignal } from "../exit-codes.js";
import { isExecutionId } from "../options/execution-id.js";
import { formatCount } from "../report/units.js";
import { openStore } from "../session/store.js";
import { readSession } from "../show/session-contents.js";
import { openByteOutput } from "../terminal/byte-output.js";
import { openExecutionOutput } from "./execution-output.js";
import { cutLines, findTailStart } from "./line-range.js";
import type { LineRange } from "./line-range.js";
import type { OutputSource } from "./output-source.js";
import { findCall } from "./stored-call.js";
import type { StoredCall } from "./stored-call.js";
import { isWhole, openWholeOutput } from "./whole-output.js";

export interface CatRequest {
  /** A session, or an execution of the exec host. */
  readonly session: SessionId;
  /** The last call, where none is named. */
  readonly call: ToolCallId | undefined;
  readonly lines: LineRange | undefined;
  readonly tail: number | undefined;
}

/** Writes the whole output of a call or an execution to standard output, byte for byte, and gives the exit code. */
export async function cat(request: CatRequest, context: CliContext): Promise<number> {
  const opened = await openOutput(request, context);
  await using source = opened.source;
  const start = request.tail === undefined ? 0 : await findTailStart(source, request.tail);
  const pieces = source.pieces(start);
  const output = openByteOutput(context.stdout);
  for await (const piece of request.lines === undefined ? pieces : cutLines(pieces, request.lines)) {
    await output.write(piece);
    if (output.isReaderGone) return exitCodeOfSignal("SIGPIPE");
  }
  await output.end();
  return opened.tellWhatIsMissing() ? EXIT_NOT_COMPLETED : EXIT_OK;
}

interface OpenedOutput {
  readonly source: OutputSource;
  /** Says on standard error why this is not the whole output, if it is not; and whether part of it is missing. */
  readonly tellWhatIsMissing: () => boolean;
}

async function openOutput({ session: id, call: callId }: CatRequest, context: CliContext): Promise<OpenedOutput> {
  const store = openStore(context);
  if (isExecutionId(id)) {
    const { source, goesOn } = await openExecutionOutput(store.places, id, context);
    return {
      source,
      tellWhatIsMissing() {
        if (goesOn) context.stderr.write("spillway: the execution goes on; this is its output so far\n");
        return false;
      },
    };
  }
  const call = findCall(await readSession(store, id), callId);
  const source = await openWholeOutput(store.places, call);
  return { source, tellWhatIsMissing: () => tellWhatIsMissing(call, source, context) };
}

/** Says on standard error why what was written is not the whole output; false where nothing is missing that could be there. */
function tellWhatIsMissing(call: StoredCall, source: OutputSource, context: CliContext): boolean {
  const { window, stopped, spillPath } = call;
  const tell = (text: string): void => void context.stderr.write(`spillway: ${text}\n`);
  if (!window.settled) {
    tell("the call has not settled; this is its output so far");
    return false;
  }
  if (isWhole(call, source)) return false;
  if (stopped === "interrupted") {
    tell("the call was interrupted: this is what was saved of its output before");
    return true;
  }
  const held = `${formatCount(source.length)} of ${formatCount(window.totalBytes)} bytes`;
  tell(spillPath === undefined ? "only the window of this output was kept" : `${spillPath} holds ${held}`);
  if (window.notice !== undefined) tell(window.notice);
  return true;
}
