import type { ChatUserRow } from "../../src/facet/index.js";
import { displayText } from "../format/display-text.js";
import { Moment } from "./moment.js";
import type { RowProps } from "./row-view.js";

export function UserRow({ row }: RowProps<ChatUserRow>) {
  return (
    <article class="row is-user" aria-label="Prompt">
      <header class="row-head">
        <span class="row-kind">prompt</span>
        <Moment at={row.at} />
      </header>
      <p class="prose">{displayText(row.text)}</p>
      {row.cut === true && <p class="aside">Cut here; the rest is in the session's log.</p>}
    </article>
  );
}
