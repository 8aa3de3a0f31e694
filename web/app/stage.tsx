import { BatchPanel } from "../batches/batch-panel.js";
import { displayText } from "../format/display-text.js";
import { LaneView } from "../lane/lane-view.js";
import type { Selection, Viewer } from "./viewer.js";

/** What is shown of the session that was chosen. */
export function Stage({ viewer }: { readonly viewer: Viewer }) {
  const selection = viewer.selection.value;
  if (selection.kind !== "open") {
    return (
      <main class="stage is-empty">
        <Placeholder viewer={viewer} selection={selection} />
      </main>
    );
  }
  const { lane } = selection;
  const key = `${lane.place.session}/${lane.place.lane}`;
  return (
    <>
      <LaneView key={key} viewer={viewer} detail={selection.detail} lane={lane} />
      {viewer.isPanelOpen.value && (
        <BatchPanel key={`batches ${key}`} lane={lane} onClose={() => (viewer.isPanelOpen.value = false)} />
      )}
    </>
  );
}

type NotOpen = Exclude<Selection, { readonly kind: "open" }>;

function Placeholder({ viewer, selection }: { readonly viewer: Viewer; readonly selection: NotOpen }) {
  if (selection.kind === "opening") return <p class="hint">Opening {selection.session} …</p>;
  if (selection.kind === "none") return <NothingChosen viewer={viewer} />;
  const { code, message } = selection.error;
  const isGone = code === "not_found" || code === "gone";
  return (
    <div class="placeholder" role="alert">
      <h2>{isGone ? "This session is gone" : "This session cannot be shown"}</h2>
      <p>
        {isGone
          ? `The host has no session ${selection.session}. It was removed, or it belongs to another host.`
          : displayText(message)}
      </p>
      {code === "unreachable" && <p>Trying again every two seconds.</p>}
      <button type="button" class="button" onClick={() => viewer.select(undefined)}>
        Back to the sessions
      </button>
    </div>
  );
}

function NothingChosen({ viewer }: { readonly viewer: Viewer }) {
  const count = viewer.access.value?.poll.list.value?.sessions.length;
  if (count === undefined) return null;
  if (count > 0) return <p class="hint">Choose a session: j and k, then Enter.</p>;
  return (
    <div class="placeholder">
      <h2>No sessions yet</h2>
      <p>Whatever runs here appears by itself. For a first one:</p>
      <pre class="snippet">spillway run -- make -j8</pre>
    </div>
  );
}
