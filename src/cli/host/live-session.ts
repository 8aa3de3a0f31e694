import type { Lane } from "../../harness/index.js";
import type { Entry, LaneId, OperationId, ToolCallId } from "../../protocol/index.js";
import type { EntryPage, SessionSummary, WireSession, WireSource } from "../../wire/index.js";
import { listViewCalls } from "../cat/stored-call.js";
import type { Places } from "../places.js";
import type { WorkSession } from "../session/work-session.js";
import { describeOpening } from "../sessions/opening.js";
import { openCallOutput } from "./call-output.js";
import { createLaneCommands } from "./lane-commands.js";
import { FACETS } from "./lane-facets.js";
import { makeTitle } from "./title.js";

/** The one session that this process works on, as others see it. `onViewer` is called for each one that begins to watch. */
export function createLiveSource(work: WorkSession, places: Places, onViewer: () => void): WireSource {
  const session = createLiveSession(work, places, onViewer);
  return {
    sessions: () => Promise.resolve([session.summary]),
    session: (id) => Promise.resolve(id === work.id ? session : undefined),
  };
}

function createLiveSession(work: WorkSession, places: Places, onViewer: () => void): WireSession {
  const findLane = (id: LaneId): Lane | undefined => work.harness.lanes().find((lane) => lane.id === id);
  return {
    get summary() {
      return summarize(work);
    },
    get lanes() {
      return work.harness.lanes().map(({ id }) => ({ id, facets: FACETS, takesMessages: work.takesMessages }));
    },
    facet(lane, facet) {
      const facets = work.facets(lane);
      if (facets === undefined) return Promise.resolve(undefined);
      onViewer();
      return Promise.resolve(facet === "chat" ? facets.chat : facet === "lane" ? facets.view : undefined);
    },
    entries: (lane, page) => Promise.resolve(pageOf(findLane(lane)?.view().transcript, page)),
    async output(operation: OperationId, toolCall: ToolCallId) {
      const views = work.harness.lanes().map((lane) => lane.view());
      const calls = views.flatMap((view) => listViewCalls(work.id, view));
      const call = calls.find((item) => item.operation === operation && item.id === toolCall);
      return call === undefined ? undefined : openCallOutput(places, call);
    },
    abort: (lane, reason) => Promise.resolve(work.abort(lane, reason)),
    ...createLaneCommands(work),
  };
}

function summarize(work: WorkSession): SessionSummary {
  const views = work.harness.lanes().map((lane) => lane.view());
  const entries = views.flatMap(({ transcript }) => transcript);
  const operations = views.flatMap(({ operation }) => operation ?? []);
  const isInterrupted = operations.some(({ abandoned }) => abandoned === true);
  const times = entries.map(({ at }) => at);
  return {
    id: work.id,
    state: isInterrupted ? "interrupted" : operations.length > 0 ? "running" : "open",
    title: makeTitle(entries[0] && describeOpening(entries[0])),
    createdAt: Math.min(...times, work.openedAt),
    updatedAt: Math.max(...times, 0),
  };
}

export function pageOf(
  transcript: readonly Entry[] | undefined,
  { before, limit }: { readonly before: number; readonly limit: number },
): EntryPage | undefined {
  if (transcript === undefined) return undefined;
  const end = Math.min(before, transcript.length);
  const from = Math.max(0, end - limit);
  return { from, entries: transcript.slice(from, end) };
}
