import type { LaneTool } from "../../lane/index.js";
import type { Json, LaneId, ToolCallId } from "../../protocol/index.js";
import { commandOf } from "../show/call-words.js";
import { printableText } from "../terminal/printable.js";

/** A call that is not run until someone has decided about it. */
export interface WaitingCall {
  readonly call: ToolCallId;
  readonly tool: string;
  /** What the tool would be given. */
  readonly args: Json;
  /** What the model stated, where a hook put other arguments in its place. */
  readonly statedArgs?: Json | undefined;
  /** Set where only a part of the arguments is known here. */
  readonly argsCut?: true | undefined;
  /** Why someone is asked. */
  readonly reason?: string | undefined;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface ListedCall extends WaitingCall {
  readonly lane: LaneId;
}

/** Of a view's running calls those that wait. */
export function listWaiting(lane: LaneId, tools: readonly LaneTool[]): ListedCall[] {
  return tools.flatMap(({ id, name, args, changedArgs, pendingApproval, withheld }) =>
    pendingApproval === undefined
      ? []
      : {
          lane,
          call: id,
          tool: name,
          args: changedArgs ?? args,
          ...(changedArgs !== undefined && { statedArgs: args }),
          ...(withheld === true && { argsCut: true as const }),
          ...pendingApproval,
        },
  );
}

/** The call with all that it would be given, for a person who is to decide about it. */
export function describeWaiting({ call, tool, args, statedArgs, argsCut, reason }: WaitingCall): string {
  const lines = [
    `${tool} waits for approval (${call})`,
    ...indent(describeArgs(args)),
    ...(statedArgs === undefined ? [] : ["  in place of what the model stated:", ...indent(describeArgs(statedArgs))]),
    ...(argsCut === true ? ["  not all of the arguments are shown here: do not allow what you have not read"] : []),
    ...(reason === undefined ? [] : indent(reason)),
  ];
  return `${lines.map(showLine).join("\n")}\n`;
}

function describeArgs(args: Json): string {
  const command = commandOf(args);
  if (typeof args !== "object" || args === null || Array.isArray(args)) return JSON.stringify(args);
  const rest = Object.entries(args).filter(([name]) => command === undefined || name !== "command");
  const others = rest.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [...(command === undefined ? [] : [`$ ${command}`]), ...others].join("\n");
}

function indent(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}

// What turns the direction of reading could show another command than the one that is run.
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function showLine(line: string): string {
  return printableText(line).replace(TURNS, "\ufffd");
}
