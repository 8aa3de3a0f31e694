import type { ChatToolRow } from "../../facet/index.js";
import type { Json } from "../../protocol/index.js";
import { countLines, findLastLines } from "../output/new-lines.js";
import { openWindow } from "../output/window.js";
import { formatAmount } from "../report/units.js";
import { commandOf } from "../show/call-words.js";
import type { Colours } from "../terminal/colours.js";
import { fitLine } from "../terminal/fit.js";
import { printableLine, printableText } from "../terminal/printable.js";

export interface CallStyle {
  readonly columns: number;
  readonly colours: Colours;
}

/** Of an output that has ended, so many lines are shown. */
const MAX_LINES = 8;
/** Of a question, so much: what is beyond has to be looked at elsewhere. */
const MAX_QUESTION_LINES = 100;
const INDENT = "  ";

/** Such as `bash make -j8`, on one line. */
export function headingOf({ toolName, args, changedArgs }: ChatToolRow, columns: number): string {
  return fitLine(printableLine(`${toolName} ${describeArgs(changedArgs ?? args)}`.trimEnd()), columns);
}

/** A call that has ended: what was called, how it ended, and the end of its output. */
export function drawCall(row: ChatToolRow, { columns, colours }: CallStyle): string {
  const state = endOf(row);
  const window = openWindow(row.output, true);
  const lines = window.truncated ? window.totalLines : countLines(window.text);
  const amount = lines > 0 ? ` · ${formatAmount(lines, "line")}` : "";
  const end = `${state}${amount}`;
  const heading = colours.cyan(headingOf(row, Math.max(20, columns - end.length - 3)));
  const paint = state === "done" ? colours.dim : colours.red;
  return `${heading} ${paint(`· ${end}`)}\n${drawOutput(row, { columns, colours })}`;
}

/** What someone is asked about, whole as far as that is reasonable. */
export function drawQuestion(row: ChatToolRow, { columns, colours }: CallStyle): string {
  const { toolName, pendingApproval } = row;
  const why = pendingApproval?.reason === undefined ? "" : `: ${printableLine(pendingApproval.reason)}`;
  const lines = printableText(spellArgs(row.changedArgs ?? row.args)).split("\n");
  const shown = lines.slice(0, MAX_QUESTION_LINES);
  const isCut = shown.length < lines.length || row.argsCut === true;
  return [
    colours.yellow(fitLine(`${toolName} waits for your word${why}`, columns)),
    ...shown.map((line) => `${INDENT}${line}`),
    ...(isCut ? [`${INDENT}${colours.yellow("[… there is more of it: spillway attach, or the page]")}`] : []),
    "",
  ].join("\n");
}

function endOf({ state, approval, output }: ChatToolRow): string {
  if (approval?.decision === "deny") return "denied";
  return output === undefined && state === "failed" ? "not run" : state;
}

function drawOutput(row: ChatToolRow, { columns, colours }: CallStyle): string {
  const window = openWindow(row.output, true);
  const text = window.tail ?? window.text;
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  const { start } = findLastLines(text, end, MAX_LINES);
  const lines = end <= 0 ? [] : text.slice(start, end).split("\n");
  const notice = window.notice === undefined ? [] : window.notice.trimEnd().split("\n");
  return [...lines, ...notice]
    .map((line) => `${INDENT}${colours.dim(fitLine(printableLine(line), columns - INDENT.length))}\n`)
    .join("");
}

/** The one argument that says the most, or all of them. */
function describeArgs(args: Json): string {
  const command = commandOf(args);
  if (command !== undefined) return command.trim().replaceAll("\n", " ⏎ ");
  const fields = fieldsOf(args);
  const [, main] = fields.find(([name]) => name === "path" || name === "pattern") ?? [];
  return typeof main === "string" ? main : fields.length === 0 ? "" : JSON.stringify(args);
}

/** Every argument on lines of its own; of a command nothing but itself where there is nothing else. */
function spellArgs(args: Json): string {
  const fields = fieldsOf(args);
  const [first] = fields;
  if (fields.length === 1 && first?.[0] === "command" && typeof first[1] === "string") return first[1].trimEnd();
  return fields.map(([name, value]) => spellField(name, value)).join("\n");
}

function spellField(name: string, value: Json): string {
  if (typeof value !== "string") return `${name}: ${JSON.stringify(value, null, 2)}`;
  if (!value.includes("\n")) return `${name}: ${value}`;
  const lines = value.replace(/\n$/, "").split("\n");
  return [`${name}:`, ...lines.map((line) => `${INDENT}${line}`)].join("\n");
}

function fieldsOf(args: Json): [string, Json][] {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? Object.entries(args) : [];
}
