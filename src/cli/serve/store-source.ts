import { createRelayShelf, openRemoteSession } from "../../wire/index.js";
import type { WireSource, WireTarget } from "../../wire/index.js";
import { toWireSummary } from "../host/session-list.js";
import { openStoredSession } from "../host/stored-session.js";
import { findRun } from "../session/run-file.js";
import type { RunFile } from "../session/run-file.js";
import type { SessionStore } from "../session/store.js";
import { summarizeAll } from "../sessions/summary.js";

/** All sessions of a user: those that a process works on as that process shows them, the others from their files. */
export function createStoreSource(store: SessionStore): WireSource {
  const relays = createRelayShelf();
  return {
    async sessions() {
      const summaries = await summarizeAll(store);
      return summaries.map(toWireSummary);
    },
    async session(id) {
      const target = targetOf(findRun(store.places, id));
      return target === undefined ? openStoredSession(store, id) : openRemoteSession(target, id, relays);
    },
  };
}

/** Where the process of a run file listens, with the right to look on and to stop. */
export function targetOf(run: RunFile | undefined): WireTarget | undefined {
  return run?.socket === undefined ? undefined : { socketPath: run.socket, token: run.tokens.control };
}
