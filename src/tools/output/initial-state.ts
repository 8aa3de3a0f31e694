import type { ContentBlock, TextBlock, ToolOutputState } from "../../protocol/index.js";
import type { OutputLimits } from "../contract.js";

/** The state of a call that has given nothing yet; what is not here is absent until it is needed. */
export function makeInitialState({ maxLines, maxBytes }: OutputLimits): ToolOutputState {
  return {
    content: [{ type: "text", text: "" }],
    details: {},
    terminate: false,
    truncation: { truncated: false, truncatedBy: null, totalLines: 0, totalBytes: 0, maxLines, maxBytes },
  };
}

/** The state that a call goes on from: an earlier sink's, with the caps of now and without its notice. */
export function makeSeededState(seed: ToolOutputState, { maxLines, maxBytes }: OutputLimits): ToolOutputState {
  const state = structuredClone(seed);
  const content = state.content.filter((block) => !isNotice(block));
  if (content[0]?.type !== "text") content.unshift({ type: "text", text: "" });
  return { ...state, content, truncation: { ...state.truncation, maxLines, maxBytes } };
}

/** What an earlier sink had said at its end. */
export function findNotice(state: ToolOutputState): string | undefined {
  return state.content.find(isNotice)?.text;
}

function isNotice(block: ContentBlock): block is TextBlock & { notice: true } {
  return block.type === "text" && block.notice === true;
}
