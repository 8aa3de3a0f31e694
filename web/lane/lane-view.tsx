import { useEffect, useRef, useState } from "preact/hooks";
import { PIN_EVENT, TRANSCRIPT_ID } from "../app/keyboard.js";
import type { Viewer } from "../app/viewer.js";
import { displayText } from "../format/display-text.js";
import { formatAmount } from "../format/units.js";
import type { SessionDetail } from "../host/api.js";
import { createScrollPin } from "../output/scroll-pin.js";
import type { ScrollPin } from "../output/scroll-pin.js";
import { RowView } from "../rows/row-view.js";
import { LaneHead } from "./lane-head.js";
import type { OpenLane } from "./open-lane.js";

export interface LaneViewProps {
  readonly viewer: Viewer;
  readonly detail: SessionDetail;
  readonly lane: OpenLane;
}

/** A lane as it is right now: what was said, what runs, how it ended. */
export function LaneView({ viewer, detail, lane }: LaneViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const pin = useRef<ScrollPin | undefined>(undefined);
  const [isPinned, setPinned] = useState(true);
  useEffect(() => {
    const element = box.current;
    if (element === null || content.current === null) return undefined;
    const made = createScrollPin(element, content.current, setPinned);
    const toEnd = (): void => made.pin();
    element.addEventListener(PIN_EVENT, toEnd);
    pin.current = made;
    return () => {
      element.removeEventListener(PIN_EVENT, toEnd);
      made.stop();
    };
  }, []);
  const onScroll = (): void => {
    if (!isPinned && (box.current?.scrollTop ?? 1) < NEAR_TOP_PX && lane.paging.value.state === "idle") {
      void lane.loadOlder();
    }
  };
  return (
    <main class="stage">
      <LaneHead viewer={viewer} detail={detail} lane={lane} />
      <div class="transcript" id={TRANSCRIPT_ID} ref={box} onScroll={onScroll}>
        <div class="transcript-content" ref={content} role="log" aria-live="off" aria-label="Transcript">
          <Rows viewer={viewer} lane={lane} />
        </div>
      </div>
      {!isPinned && (
        <button type="button" class="button to-end" onClick={() => pin.current?.pin()}>
          Newest ↓
        </button>
      )}
    </main>
  );
}

const NEAR_TOP_PX = 80;

function Rows({ viewer, lane }: { readonly viewer: Viewer; readonly lane: OpenLane }) {
  // The state is changed in place; this alone says that it was.
  const version = lane.version.value;
  const { state, older, changes } = lane;
  if (state === undefined) return version === 0 ? <p class="hint">Waiting for the host …</p> : null;
  const rows = [...older.rows, ...state.rows];
  return (
    <>
      <OlderButton lane={lane} before={older.before(state)} />
      {rows.length === 0 && <p class="hint">Nothing was said in this lane yet.</p>}
      {rows.map((row) => (
        <RowView
          key={keyOf(row)}
          row={row}
          version={changes.versionOf(row)}
          lane={lane}
          api={viewer.access.value?.api}
        />
      ))}
      <Ending lane={lane} />
    </>
  );
}

/** Stays the same from the row's first batch to its place in the transcript. */
function keyOf(row: OpenLane["older"]["rows"][number]): string {
  if (row.type === "tool") return `${row.operationId} ${row.toolCallId}`;
  if (row.position !== undefined) return `at ${row.position}`;
  return row.type === "assistant" ? `message ${row.messageId ?? ""}` : "prompt";
}

function OlderButton({ lane, before }: { readonly lane: OpenLane; readonly before: number }) {
  const paging = lane.paging.value;
  if (before <= 0) return null;
  return (
    <div class="older">
      <button type="button" class="button" disabled={paging.state === "reading"} onClick={() => void lane.loadOlder()}>
        {paging.state === "reading" ? "Loading …" : `Load earlier (${formatAmount(before, "item")})`}
      </button>
      {paging.state === "failed" && <p role="alert">{displayText(paging.message)}</p>}
    </div>
  );
}

function Ending({ lane }: { readonly lane: OpenLane }) {
  const operation = lane.state?.operation ?? null;
  if (operation === null || operation.state === "running") return null;
  const { state, reason } = operation;
  return (
    <p class={`ending is-${state}`}>
      {state}
      {reason !== undefined && <span class="ending-reason"> {displayText(reason)}</span>}
    </p>
  );
}
