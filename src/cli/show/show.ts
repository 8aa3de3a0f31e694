import type { UnsettledCall } from "../../harness/index.js";
import type { AssistantState, Entry, SessionId, ToolOutputState } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { formatResult } from "../output/display.js";
import { endLine } from "../output/end-line.js";
import { openWindow } from "../output/window.js";
import { formatBytes, formatTime } from "../report/units.js";
import { findLatest } from "../sessions/choose.js";
import { paintState } from "../sessions/list.js";
import type { SessionSummary } from "../sessions/summary.js";
import { openStore } from "../session/store.js";
import { coloursFor } from "../terminal/colours.js";
import type { Colours } from "../terminal/colours.js";
import { printableText } from "../terminal/printable.js";
import { openTextOutput } from "../terminal/text-output.js";
import { commandOf, describeArgs, describeEnd, describeProgress } from "./call-words.js";
import { readSession } from "./session-contents.js";
import type { SessionContents } from "./session-contents.js";

export interface ShowRequest {
  /** The session that was used last, where none is named. */
  readonly session: SessionId | undefined;
  readonly asJson: boolean;
}

/** Prints the transcript and the state of a session as they are stored. */
export async function show(request: ShowRequest, context: CliContext): Promise<void> {
  const store = openStore(context);
  const contents = await readSession(store, request.session ?? (await findLatest(store)));
  const output = openTextOutput(context.stdout);
  const colours = coloursFor(output, context.environment);
  const text = request.asJson ? toJsonLines(contents) : drawSession(contents, colours, output.isTerminal);
  for (const part of text) {
    output.write(part);
    await output.idle();
  }
}

function* toJsonLines({ summary, lanes }: SessionContents): Generator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  yield line({ type: "session", ...summary });
  for (const { id: lane, transcript, record, unsettled } of lanes) {
    for (const entry of transcript) yield line({ type: "entry", lane, entry });
    if (record === undefined) continue;
    yield line({
      type: "operation",
      lane,
      ...record,
      ...(unsettled?.message === undefined ? {} : { message: unsettled.message }),
      calls: (unsettled?.calls ?? []).map(({ memos, ...call }) => ({ ...call, memos: Object.fromEntries(memos) })),
    });
  }
}

function* drawSession({ summary, lanes }: SessionContents, colours: Colours, isTerminal: boolean): Generator<string> {
  const block = (text: string): string => (isTerminal ? printableText(text) : text);
  yield `${drawHeading(summary, colours)}\n`;
  for (const { id, transcript, unsettled } of lanes) {
    if (lanes.length > 1) yield `\n${colours.bold(`lane ${id}`)}\n`;
    let prompt = "";
    for (const entry of transcript) {
      if (entry.type === "user") prompt = entry.text;
      yield* drawEntry(entry, prompt, colours, block);
    }
    if (unsettled === undefined) continue;
    if (unsettled.message !== undefined) yield* drawMessage(unsettled.message.state, block);
    for (const call of unsettled.calls) {
      const heading = drawHeadingOfCall(call, describeProgress(call, summary.state), prompt, colours);
      yield* drawCall(heading, call.output, block);
    }
  }
  if (summary.state === "running") yield `\nProcess ${summary.pid ?? ""} works on it; this is what is stored so far.\n`;
  if (summary.state === "unsettled") yield `\nIts process has died. Settle it: spillway resume ${summary.session}\n`;
}

function drawHeading(summary: SessionSummary, colours: Colours): string {
  const { session, state, startedAt, mainBytes, sidecarBytes } = summary;
  const size = formatBytes(mainBytes + sidecarBytes);
  return [colours.bold(session), paintState(state, state, colours), formatTime(startedAt), size].join(" · ");
}

type Draw = (text: string) => string;

function* drawEntry(entry: Entry, prompt: string, colours: Colours, block: Draw): Generator<string> {
  if (entry.type === "user") yield `\n${colours.bold(`> ${block(entry.text)}`)}\n`;
  else if (entry.type === "assistant") yield* drawMessage(entry.message, block);
  else if (entry.type === "summary") yield `\n${colours.dim(`· summary of ${entry.entries} entries for the model`)}\n`;
  else yield* drawCall(drawHeadingOfCall(entry, describeEnd(entry), prompt, colours), entry.output, block);
}

/** Of a call in a message nothing: it has an item of its own. */
function* drawMessage({ content }: AssistantState, block: Draw): Generator<string> {
  for (const part of content) if (part.type === "text" && part.text !== "") yield `\n${endLine(block(part.text))}`;
}

type CallIdentity = Pick<UnsettledCall, "toolCallId" | "toolName" | "args">;

/** Of a command that is the prompt itself, as in a session of `run`, only its tool: it stands right above. */
function drawHeadingOfCall(call: CallIdentity, state: string, prompt: string, colours: Colours): string {
  const { toolCallId, toolName, args } = call;
  const asked = commandOf(args) === prompt ? toolName : `${toolName} ${describeArgs(args)}`;
  return `\n${colours.cyan(asked)} ${colours.dim(`· ${state} · ${toolCallId}`)}\n`;
}

function* drawCall(heading: string, output: ToolOutputState | undefined, block: Draw): Generator<string> {
  yield heading;
  if (output === undefined) return;
  const window = openWindow(output, true);
  yield block(formatResult(window));
  if (window.progress !== undefined) yield endLine(block(window.progress));
}
