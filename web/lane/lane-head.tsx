import { useSignal } from "@preact/signals";
import type { Viewer } from "../app/viewer.js";
import { displayText } from "../format/display-text.js";
import { describeProblem } from "../host/api.js";
import type { SessionDetail } from "../host/api.js";
import { writeFragment } from "../host/token.js";
import type { LaneConnection, OpenLane } from "./open-lane.js";

interface LaneHeadProps {
  readonly viewer: Viewer;
  readonly detail: SessionDetail;
  readonly lane: OpenLane;
}

/** Which session this is, whether it is followed, and what can be done to it. */
export function LaneHead({ viewer, detail, lane }: LaneHeadProps) {
  const summary = viewer.shown.value.find(({ id }) => id === detail.id);
  return (
    <header class="lane-head">
      <a class="button is-quiet back" href={writeFragment(undefined)} aria-label="Back to the sessions">
        ←
      </a>
      <h2 class="lane-title">{displayText(summary?.title ?? detail.title) || detail.id}</h2>
      <Lanes viewer={viewer} detail={detail} lane={lane} />
      <ConnectionBadge lane={lane} />
      {viewer.isControl.value && viewer.access.value !== undefined && (
        <StopButton lane={lane} onStop={() => viewer.access.value?.api.abort(lane.place, "stopped in the viewer")} />
      )}
      <button
        type="button"
        class="button"
        aria-pressed={viewer.isPanelOpen.value}
        onClick={() => (viewer.isPanelOpen.value = !viewer.isPanelOpen.value)}
      >
        Batches
      </button>
    </header>
  );
}

function Lanes({ viewer, detail, lane }: LaneHeadProps) {
  if (detail.lanes.length < 2) return null;
  return (
    <select
      class="lanes"
      aria-label="Lane"
      value={lane.place.lane}
      onChange={(event) => viewer.selectLane(event.currentTarget.value)}
    >
      {detail.lanes.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  );
}

// A stream that ended as it should has no more to give; where another process goes on with it, the page follows by itself.
function ConnectionBadge({ lane }: { readonly lane: OpenLane }) {
  const connection = lane.connection.value;
  const { label, detail } = describeConnection(connection);
  return (
    <span class={`connection is-${connection.state}`} role="status" title={detail}>
      <span class="dot" aria-hidden="true" />
      <span class="connection-state">{label}</span>
      {detail !== undefined && <span class="connection-why">{detail}</span>}
      {connection.state === "ended" && connection.why !== undefined && (
        <button type="button" class="button is-quiet" onClick={() => lane.followAgain()}>
          Follow again
        </button>
      )}
    </span>
  );
}

function describeConnection({ state, why }: LaneConnection): { readonly label: string; readonly detail?: string } {
  if (state === "waiting") return { label: state, ...(why !== undefined && { detail: WAITING[why.code] }) };
  if (state !== "ended" || why === undefined) return { label: state };
  return { label: state, detail: why.status === 404 ? "the session is gone" : displayText(why.message) };
}

const WAITING: Record<NonNullable<LaneConnection["why"]>["code"], string> = {
  refused: "the host refused",
  protocol_mismatch: "the host is newer than this page; reload it",
  unreachable: "the host does not answer",
  cut: "the connection was cut",
  silent: "nothing came for 15 s",
  frame_too_large: "the host sent too much at once",
  doubt: "a message was missing; asking anew",
};

/** Stops what runs, at the second press. */
function StopButton({ lane, onStop }: { readonly lane: OpenLane; readonly onStop: () => Promise<void> | undefined }) {
  const step = useSignal<"idle" | "sure" | "sent" | { readonly problem: string }>("idle");
  const isRunning = lane.version.value > 0 && lane.state?.operation?.state === "running";
  if (!isRunning) return null;
  const press = async (): Promise<void> => {
    if (step.value !== "sure") {
      step.value = "sure";
      return;
    }
    step.value = "sent";
    try {
      await onStop();
    } catch (error) {
      step.value = { problem: describeProblem(error) };
    }
  };
  const { value } = step;
  return (
    <>
      <button
        type="button"
        class={value === "sure" ? "button is-danger is-armed" : "button is-danger"}
        disabled={value === "sent"}
        onClick={() => void press()}
        onBlur={() => step.value === "sure" && (step.value = "idle")}
      >
        {value === "sure" ? "Really stop?" : value === "sent" ? "Stopping …" : "Stop"}
      </button>
      {typeof value === "object" && <span role="alert">{displayText(value.problem)}</span>}
    </>
  );
}
