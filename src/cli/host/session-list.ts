import type { SessionSummary as WireSummary } from "../../wire/index.js";
import type { SessionSummary } from "../sessions/summary.js";
import { makeTitle } from "./title.js";

/** A session of the list as the wire tells of it. */
export function toWireSummary(summary: SessionSummary): WireSummary {
  const { session, state, title, createdAt, startedAt, endedAt, problem } = summary;
  return {
    id: session,
    state: state === "running" ? "running" : state === "unsettled" ? "interrupted" : "closed",
    title: makeTitle(problem?.message ?? title),
    createdAt: createdAt ?? 0,
    updatedAt: endedAt ?? startedAt ?? createdAt ?? 0,
  };
}
