import type { SessionId } from "../../protocol/index.js";
import { CliError } from "../failure.js";
import type { SessionStore } from "../session/store.js";
import { summarizeAll } from "./summary.js";

/** The session that was used last. @throws {CliError} `not_found` */
export async function findLatest(store: SessionStore): Promise<SessionId> {
  const [latest] = await summarizeAll(store);
  if (latest !== undefined) return latest.session;
  throw new CliError("not_found", `there are no sessions in ${store.places.sessions}; begin one: spillway run -- make`);
}

/** The sessions that wait to be settled, the one that was used last first. */
export async function findUnsettled(store: SessionStore): Promise<SessionId[]> {
  const summaries = await summarizeAll(store);
  return summaries.filter(({ state }) => state === "unsettled").map(({ session }) => session);
}
