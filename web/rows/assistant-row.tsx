import type { ChatAssistantRow } from "../../src/facet/index.js";
import type { AssistantPart, StopReason } from "../../src/protocol/index.js";
import { displayText } from "../format/display-text.js";
import { Moment } from "./moment.js";
import type { RowProps } from "./row-view.js";
import { StateBadge } from "./state-badge.js";

/** What the model said. Its calls have rows of their own. */
export function AssistantRow({ row }: RowProps<ChatAssistantRow>) {
  const parts = (row.message?.content ?? []).filter((part) => part.type !== "toolCall" && part.text !== "");
  const stop = describeStop(row.stopReason);
  if (parts.length === 0 && row.state === "done" && stop === undefined && row.withheld !== true) return null;
  return (
    <article class="row is-assistant" aria-label="Answer">
      <header class="row-head">
        <span class="row-kind">answer</span>
        {row.state !== "done" && <StateBadge state={row.state} />}
        <Moment at={row.at} />
      </header>
      {parts.map((part, index) => (
        <Part key={index} part={part} />
      ))}
      {row.withheld === true && <p class="aside">Too large to be shown while it grows.</p>}
      {stop !== undefined && <p class="aside">{stop}</p>}
    </article>
  );
}

function Part({ part }: { readonly part: AssistantPart }) {
  if (part.type === "toolCall") return null;
  if (part.type === "text") return <p class="prose">{displayText(part.text)}</p>;
  return (
    <details class="thinking">
      <summary>thinking</summary>
      <p class="prose">{displayText(part.text)}</p>
    </details>
  );
}

function describeStop(reason: StopReason | undefined): string | undefined {
  if (reason === "maxTokens") return "The model's limit of tokens ended this.";
  return reason === "error" ? "The model failed." : undefined;
}
