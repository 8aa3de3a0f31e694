import type { ShellOutputLimits } from "../../exec/index.js";
import type { OutputLimits } from "../contract.js";

/** What an execution of a call may keep: what the tool asks for, but never more than its sink shows. */
export function boundLimits(own: OutputLimits, asked: ShellOutputLimits | undefined): ShellOutputLimits {
  return {
    retain: asked?.retain ?? own.retain,
    maxBytes: Math.min(asked?.maxBytes ?? own.maxBytes, own.maxBytes),
    maxLines: Math.min(asked?.maxLines ?? own.maxLines, own.maxLines),
  };
}
