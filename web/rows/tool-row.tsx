import { useState } from "preact/hooks";
import type { ChatToolOutput, ChatToolRow } from "../../src/facet/index.js";
import type { TextBlock } from "../../src/protocol/index.js";
import { ApprovalNote } from "../approvals/approval-note.js";
import { displayText } from "../format/display-text.js";
import { formatBytes } from "../format/units.js";
import { FullOutput } from "../output/full-output.js";
import { OutputBox } from "../output/output-box.js";
import { Moment } from "./moment.js";
import { describeCall } from "./call-text.js";
import { describeTotals } from "./totals.js";
import type { RowProps } from "./row-view.js";
import { StateBadge } from "./state-badge.js";

/** One call: what it was given, what came of it so far, and where all of it is. */
export function ToolRow({ row, lane, api, isControl }: RowProps<ChatToolRow>) {
  const [isTall, setTall] = useState(false);
  const [isFull, setFull] = useState(false);
  const { output } = row;
  const hasMore = output !== undefined && (output.truncation.truncated || output.details.spillPath !== undefined);
  const hasText = output?.content.some((block) => block.type === "text" && block.notice !== true && block.text !== "");
  return (
    <article class={`row is-tool is-${row.state}`} aria-label={`Call of ${row.toolName}`}>
      <header class="row-head">
        <span class="row-kind">{row.toolName}</span>
        <StateBadge state={row.state} />
        <span class="totals">{output === undefined ? "" : describeTotals(output)}</span>
        <Moment at={row.at} />
      </header>
      <pre class="command">{displayText(describeCall(row.toolName, row.args))}</pre>
      {row.changedArgs !== undefined && (
        <p class="aside">Given to it instead: {displayText(describeCall(row.toolName, row.changedArgs))}</p>
      )}
      {row.argsCut === true && <p class="aside">Arguments were cut here; the session's log has all of them.</p>}
      <ApprovalNote row={row} lane={lane} api={api} isControl={isControl} />
      {row.withheld === true && <p class="aside">Too large to be shown while it runs.</p>}
      {output !== undefined && <Blocks row={row} output={output} lane={lane} isTall={isTall} />}
      <footer class="row-foot">
        {hasText === true && (
          <button type="button" class="button is-quiet" aria-expanded={isTall} onClick={() => setTall(!isTall)}>
            {isTall ? "Collapse" : "Expand"}
          </button>
        )}
        {hasMore && (
          <button type="button" class="button is-quiet" aria-expanded={isFull} onClick={() => setFull(!isFull)}>
            {isFull ? "Close full output" : "Full output"}
          </button>
        )}
      </footer>
      {isFull && api !== undefined && (
        <FullOutput
          api={api}
          call={{ session: lane.place.session, operationId: row.operationId, toolCallId: row.toolCallId }}
        />
      )}
    </article>
  );
}

interface BlocksProps extends Pick<RowProps, "lane"> {
  readonly row: ChatToolRow;
  readonly output: ChatToolOutput;
  readonly isTall: boolean;
}

function Blocks({ row, output, lane, isTall }: BlocksProps) {
  const texts = output.content.filter((block): block is TextBlock => block.type === "text");
  const label = `Output of ${row.toolName}`;
  return (
    <>
      {texts.map((block, index) => {
        if (block.text === "") return null;
        if (block.notice === true) return <Notice key="notice" text={block.text} isBad={row.state !== "done"} />;
        return (
          <OutputBox key={index} text={block.text} track={lane.changes.trackOf(block)} label={label} isTall={isTall} />
        );
      })}
      {output.progress !== undefined && output.progress !== "" && (
        <p class="progress">{displayText(output.progress)}</p>
      )}
      {output.content.map(
        (block, index) =>
          block.type === "image" && (
            <p key={`image ${index}`} class="aside">
              An image ({displayText(block.mediaType)}), which the model was given.
            </p>
          ),
      )}
      {output.usage?.outputTokens !== undefined && <p class="aside">{formatTokens(output.usage.outputTokens)}</p>}
    </>
  );
}

function Notice({ text, isBad }: { readonly text: string; readonly isBad: boolean }) {
  return <p class={isBad ? "notice is-bad" : "notice"}>{displayText(text)}</p>;
}

function formatTokens(count: number): string {
  return `${formatBytes(count).replace(/ ?B$/, "")} tokens`;
}
