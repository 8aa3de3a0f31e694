import type { Tracker } from "../../delta/index.js";
import type { ShellOutputMetadata } from "../../exec/index.js";
import { addUsage } from "../../protocol/index.js";
import type { ToolOutputState } from "../../protocol/index.js";
import type { ToolOutput } from "../contract.js";
import { checkAddedTools } from "./added-tools.js";
import type { CallText } from "./call-text.js";
import type { OutputDetails } from "./details.js";
import { checkImage } from "./images.js";
import type { OutputNotice } from "./notice.js";
import { checkUsage } from "./usage.js";

export interface ToolSideParts {
  readonly tracker: Tracker<ToolOutputState>;
  readonly text: CallText;
  readonly notice: OutputNotice;
  readonly details: OutputDetails;
  readonly showProgress: (progress: string | undefined) => void;
  /** Runs a change that the tool makes, unless the call has settled. */
  readonly act: (change: () => void) => void;
  /** Says that the tool takes hold of the details and may change them. */
  readonly expectChange: () => void;
  /** The details of a call that has settled: a copy, which nobody sees. */
  readonly settledDetails: () => { readonly details: ToolOutput["details"] } | undefined;
}

/** What the tool is given of its sink. */
export function makeToolSide(parts: ToolSideParts): ToolOutput {
  const { tracker, text, notice, details, showProgress, act, expectChange, settledDetails } = parts;
  const { state } = tracker;
  return {
    write: (added) => act(() => text.write(added)),
    replace: (whole) => act(() => text.replace(whole)),
    slide: (drop, added) => act(() => text.slide(drop, added)),
    capture: (metadata: ShellOutputMetadata) =>
      act(() => {
        text.capture(metadata);
        showProgress(metadata.progress);
      }),
    image: (image) => act(() => addImage(state, image)),
    notice: (sentence) => act(() => notice.say(endLine(sentence))),
    usage: (usage) =>
      act(() => {
        checkUsage(usage);
        state.usage = addUsage(state.usage ?? {}, usage);
      }),
    addTools: (names) => act(() => addTools(state, names)),
    terminate: () =>
      act(() => {
        state.terminate = true;
      }),
    get details() {
      const settled = settledDetails();
      if (settled !== undefined) return settled.details;
      expectChange();
      return details.take();
    },
    set details(value) {
      act(() => details.assign(value));
    },
  };
}

function addImage(state: ToolOutputState, image: Parameters<ToolOutput["image"]>[0]): void {
  const count = state.content.filter(({ type }) => type === "image").length;
  state.content.push(checkImage(image, count));
}

function addTools(state: ToolOutputState, names: readonly string[]): void {
  const fresh = checkAddedTools(names, state.addedTools ?? []);
  if (fresh.length === 0) return;
  if (state.addedTools === undefined) state.addedTools = fresh;
  else state.addedTools.push(...fresh);
}

function endLine(sentence: string): string {
  return sentence.endsWith("\n") ? sentence : `${sentence}\n`;
}
