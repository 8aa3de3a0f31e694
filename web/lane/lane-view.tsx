import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { PIN_EVENT, TRANSCRIPT_ID } from "../app/keyboard.js";
import type { Viewer } from "../app/viewer.js";
import { displayText } from "../format/display-text.js";
import { formatAmount } from "../format/units.js";
import type { Api, SessionDetail } from "../host/api.js";
import { MessageBox } from "../messages/message-box.js";
import { MessageQueue } from "../messages/message-queue.js";
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
    const onTop = (): void => {
      if (lane.paging.value.state === "idle") void lane.loadOlder();
    };
    const made = createScrollPin(element, content.current, { onChange: setPinned, onTop });
    const toEnd = (): void => made.pin();
    element.addEventListener(PIN_EVENT, toEnd);
    pin.current = made;
    return () => {
      element.removeEventListener(PIN_EVENT, toEnd);
      made.stop();
    };
  }, []);
  const speaks = findSpeaker({ viewer, detail, lane });
  return (
    <main class="stage">
      <LaneHead viewer={viewer} detail={detail} lane={lane} />
      <div class="transcript-place">
        <div class="transcript" id={TRANSCRIPT_ID} ref={box}>
          <div class="transcript-content" ref={content} role="log" aria-live="off" aria-label="Transcript">
            <Rows viewer={viewer} detail={detail} lane={lane} box={box} />
          </div>
        </div>
        {!isPinned && (
          <button type="button" class="button to-end" onClick={() => pin.current?.pin()}>
            Newest ↓
          </button>
        )}
      </div>
      {speaks !== undefined && <MessageBox viewer={viewer} api={speaks} lane={lane} />}
    </main>
  );
}

/** By what something can be said to the lane; undefined where it takes nothing, or not from who looks. */
function findSpeaker({ viewer, detail, lane }: LaneViewProps): Api | undefined {
  const isHeard = detail.lanes.find(({ id }) => id === lane.place.lane)?.takesMessages === true;
  const isOver = lane.connection.value.state === "ended";
  return isHeard && !isOver && viewer.isControl.value ? viewer.access.value?.api : undefined;
}

interface RowsProps extends LaneViewProps {
  /** What scrolls. */
  readonly box: RefObject<HTMLElement | null>;
}

function Rows({ viewer, detail, lane, box }: RowsProps) {
  // The state is changed in place; this alone says that it was.
  const version = lane.version.value;
  const { state, older, changes } = lane;
  useStillness(box, older.rows[0]?.position);
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
          isControl={viewer.isControl.value}
        />
      ))}
      <Ending lane={lane} />
      <MessageQueue lane={lane} api={findSpeaker({ viewer, detail, lane })} />
    </>
  );
}

/** Rows that come in above push nothing down: what a person looks at stays where it is. */
function useStillness(box: RefObject<HTMLElement | null>, first: number | undefined): void {
  const before = useRef(first);
  const below = useRef(0);
  if (before.current !== first && box.current !== null)
    below.current = box.current.scrollHeight - box.current.scrollTop;
  useLayoutEffect(() => {
    if (before.current !== first && box.current !== null)
      box.current.scrollTop = box.current.scrollHeight - below.current;
    before.current = first;
  });
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
