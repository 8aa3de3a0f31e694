import { FILTER_ID, LIST_ID } from "../app/keyboard.js";
import type { Viewer } from "../app/viewer.js";
import { displayText } from "../format/display-text.js";
import { formatAge } from "../format/units.js";
import type { SessionSummary } from "../host/api.js";
import { writeFragment } from "../host/token.js";

/** All sessions of the host, the newest first. */
export function SessionList({ viewer }: { readonly viewer: Viewer }) {
  const poll = viewer.access.value?.poll;
  const sessions = viewer.shown.value;
  const { value: selection } = viewer.selection;
  const isStale = poll?.problem.value !== undefined;
  const selected = selection.kind === "none" ? undefined : selection.session;
  return (
    <nav class={isStale ? "sessions is-stale" : "sessions"} aria-label="Sessions">
      <header class="sessions-head">
        <h1 class="brand">spillway</h1>
        <button
          type="button"
          class="button is-quiet"
          aria-label="Keys"
          onClick={() => (viewer.isHelpOpen.value = true)}
        >
          ?
        </button>
      </header>
      <input
        id={FILTER_ID}
        class="filter"
        type="search"
        placeholder="Filter  /"
        aria-label="Filter sessions"
        value={viewer.filter.value}
        onInput={(event) => (viewer.filter.value = event.currentTarget.value)}
      />
      <HostProblem viewer={viewer} />
      <ul id={LIST_ID}>
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionLink session={session} isSelected={session.id === selected} />
          </li>
        ))}
      </ul>
      {sessions.length === 0 && poll?.list.value !== undefined && (
        <p class="hint">{viewer.filter.value === "" ? "No sessions yet." : "No session matches."}</p>
      )}
    </nav>
  );
}

function SessionLink({ session, isSelected }: { readonly session: SessionSummary; readonly isSelected: boolean }) {
  const { id, title, state, updatedAt } = session;
  return (
    <a href={writeFragment(id)} class="session" aria-current={isSelected ? "page" : undefined}>
      <span class={`dot is-${state}`} aria-hidden="true" />
      <span class="session-title">{displayText(title) || "(no prompt yet)"}</span>
      <span class="session-facts">
        {state} · {formatAge(Date.now() - updatedAt)} · {id}
      </span>
    </a>
  );
}

/** Said once for the page: the list and the streams come from the same host. */
function HostProblem({ viewer }: { readonly viewer: Viewer }) {
  const problem = viewer.access.value?.poll.problem.value;
  if (problem === undefined) return null;
  return (
    <p class="host-problem" role="status">
      {problem.code === "unreachable"
        ? "The host does not answer. It is asked again every 3 s; what is shown is the last that came."
        : displayText(problem.message)}
    </p>
  );
}
