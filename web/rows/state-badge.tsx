import type { ChatRowState } from "../../src/facet/index.js";

const SIGNS: Record<ChatRowState, string> = {
  running: "",
  waiting: "?",
  done: "✓",
  failed: "✕",
  aborted: "■",
  interrupted: "!",
};

/** The state in a word and a sign: never in a colour alone. */
export function StateBadge({ state }: { readonly state: ChatRowState }) {
  return (
    <span class={`state is-${state}`}>
      {state === "running" ? (
        <span class="dot is-running" aria-hidden="true" />
      ) : (
        <span aria-hidden="true">{SIGNS[state]}</span>
      )}
      {state}
    </span>
  );
}
