import type { SessionId } from "../../protocol/index.js";
import { createRelayShelf, openRemoteSession } from "../../wire/index.js";
import type { WireSession, WireTarget } from "../../wire/index.js";
import { CliError } from "../failure.js";
import { targetOf } from "../serve/store-source.js";
import { findRun } from "../session/run-file.js";
import type { SessionStore } from "../session/store.js";

/** A session as the process that works on it serves it. */
export interface RunningSession {
  readonly target: WireTarget;
  readonly session: WireSession;
}

/** @throws {CliError} `not_found` where no process works on it. */
export async function openRunningSession(store: SessionStore, id: SessionId): Promise<RunningSession> {
  const target = targetOf(findRun(store.places, id));
  const session = target && (await openRemoteSession(target, id, createRelayShelf()));
  if (target !== undefined && session !== undefined) return { target, session };
  throw new CliError("not_found", `no process works on session ${id}, so nothing waits in it; see: spillway sessions`);
}
