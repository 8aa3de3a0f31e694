import type { SessionId, ToolCallId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { EXIT_NOT_COMPLETED, EXIT_OK, exitCodeOfSignal } from "../exit-codes.js";
import { CliError } from "../failure.js";
import { formatCount } from "../report/units.js";
import { openStore } from "../session/store.js";
import { readSession } from "../show/session-contents.js";
import { openByteOutput } from "../terminal/byte-output.js";
import { cutLines, findTailStart } from "./line-range.js";
import type { LineRange } from "./line-range.js";
import { describeLostOutput } from "./lost-output.js";
import { openSpill, readingText } from "./spill.js";
import type { OutputSource } from "./spill.js";
import { findCall } from "./stored-call.js";
import type { StoredCall } from "./stored-call.js";

export interface CatRequest {
  readonly session: SessionId;
  /** The last call, where none is named. */
  readonly call: ToolCallId | undefined;
  readonly lines: LineRange | undefined;
  readonly tail: number | undefined;
}

/** Writes the whole output of a call to standard output, byte for byte, and gives the exit code. */
export async function cat(request: CatRequest, context: CliContext): Promise<number> {
  const store = openStore(context);
  const call = findCall(await readSession(store, request.session), request.call);
  await using source = (await openSpill(store.places, call)) ?? (await openWindowText(call));
  const start = request.tail === undefined ? 0 : await findTailStart(source, request.tail);
  const pieces = source.pieces(start);
  const output = openByteOutput(context.stdout);
  for await (const piece of request.lines === undefined ? pieces : cutLines(pieces, request.lines)) {
    await output.write(piece);
    if (output.isReaderGone) return exitCodeOfSignal("SIGPIPE");
  }
  await output.end();
  return tellWhatIsMissing(call, source, context) ? EXIT_NOT_COMPLETED : EXIT_OK;
}

/** An output that fits into the window lies in its session. @throws {CliError} `spill_gone` */
async function openWindowText(call: StoredCall): Promise<OutputSource> {
  const { window, spillPath } = call;
  if (!window.truncated || spillPath === undefined) return readingText(window.text + (window.progress ?? ""));
  throw new CliError("spill_gone", `${await describeLostOutput(spillPath)}; spillway show has what the window kept`);
}

/** Says on standard error why what was written is not the whole output. */
function tellWhatIsMissing(
  { window, stopped, spillPath }: StoredCall,
  { length }: OutputSource,
  context: CliContext,
): boolean {
  const tell = (text: string): void => void context.stderr.write(`spillway: ${text}\n`);
  if (!window.settled) {
    tell("the call has not settled; this is its output so far");
    return false;
  }
  if (stopped === "interrupted") {
    tell("the call was interrupted: this is what was saved of its output before");
    return true;
  }
  if (!window.truncated || length >= window.totalBytes) return false;
  const held = `${formatCount(length)} of ${formatCount(window.totalBytes)} bytes`;
  tell(spillPath === undefined ? "only the window of this output was kept" : `${spillPath} holds ${held}`);
  if (window.notice !== undefined) tell(window.notice);
  return true;
}
