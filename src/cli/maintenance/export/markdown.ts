import type { AssistantState, Entry, Json, ToolOutputState } from "../../../protocol/index.js";
import { formatResult } from "../../output/display.js";
import { endLine } from "../../output/end-line.js";
import { openWindow } from "../../output/window.js";
import { formatTime } from "../../report/units.js";
import { commandOf, describeEnd, describeProgress } from "../../show/call-words.js";
import type { SessionContents } from "../../show/session-contents.js";
import { printableLine, printableText } from "../../terminal/printable.js";

/** A document for people: prompts as quotes, calls and outputs as code, which no output can break out of. */
export function* writeMarkdown({ summary, lanes }: SessionContents): Generator<string> {
  yield `# Session ${summary.session}\n\n`;
  yield `${summary.state}, last used ${formatTime(summary.endedAt ?? summary.startedAt)}\n`;
  for (const { id, transcript, unsettled } of lanes) {
    if (lanes.length > 1) yield `\n## Lane ${id}\n`;
    for (const entry of transcript) yield* writeEntry(entry);
    if (unsettled?.message !== undefined) yield* writeMessage(unsettled.message.state);
    for (const call of unsettled?.calls ?? []) yield* writeCall(call, describeProgress(call, summary.state));
  }
}

function* writeEntry(entry: Entry): Generator<string> {
  if (entry.type === "user") yield `\n### Prompt, ${formatTime(entry.at)}\n\n${quote(entry.text)}`;
  else if (entry.type === "assistant") yield* writeMessage(entry.message);
  else if (entry.type === "summary") {
    yield `\n### Summary of ${entry.entries} entries for the model, ${formatTime(entry.at)}\n\n${quote(entry.text)}`;
  } else yield* writeCall(entry, describeEnd(entry));
}

/** Of a call in a message nothing: it has an item of its own. */
function* writeMessage({ content }: AssistantState): Generator<string> {
  for (const part of content) {
    if (part.type === "thinking" && part.text !== "") yield `\n${quote(part.text)}`;
    if (part.type === "text" && part.text !== "") yield `\n${endLine(printableText(part.text))}`;
  }
}

interface WrittenCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Json;
  readonly output?: ToolOutputState;
}

function* writeCall({ toolCallId, toolName, args, output }: WrittenCall, state: string): Generator<string> {
  yield `\n### ${printableLine(toolName)}, ${state} (${toolCallId})\n\n`;
  const command = commandOf(args);
  yield command === undefined ? fence(JSON.stringify(args, undefined, 2), "json") : fence(command, "sh");
  if (output === undefined) return;
  const window = openWindow(output, true);
  const text = `${formatResult(window)}${endLine(window.progress ?? "")}`;
  if (text !== "") yield `\n${fence(text, "text")}`;
  for (const block of output.content)
    if (block.type === "image") yield `\n(an image, ${printableLine(block.mediaType)})\n`;
}

function quote(text: string): string {
  return printableText(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n")
    .concat("\n");
}

/** Longer than any row of backticks in it. */
function fence(text: string, language: string): string {
  const rows = text.match(/`+/g) ?? [];
  const marks = "`".repeat(rows.reduce((most, row) => Math.max(most, row.length + 1), 3));
  return `${marks}${language}\n${endLine(printableText(text))}${marks}\n`;
}
