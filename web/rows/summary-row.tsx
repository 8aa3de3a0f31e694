import type { ChatSummaryRow } from "../../src/facet/index.js";
import { displayText } from "../format/display-text.js";
import { Moment } from "./moment.js";
import type { RowProps } from "./row-view.js";

/** Where what is before was summed up for the model. */
export function SummaryRow({ row }: RowProps<ChatSummaryRow>) {
  return (
    <article class="row is-summary" aria-label="Summary">
      <header class="row-head">
        <span class="row-kind">summary of {row.entries} entries for the model</span>
        <Moment at={row.at} />
      </header>
      <details class="thinking">
        <summary>text</summary>
        <p class="prose">{displayText(row.text)}</p>
      </details>
    </article>
  );
}
