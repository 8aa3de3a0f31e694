import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { ApiError } from "../host/api.js";
import type { Api, SessionList } from "../host/api.js";

/** The host's list of sessions, asked for again and again. */
export interface SessionPoll {
  /** The last one that was had; undefined before the first. */
  readonly list: Signal<SessionList | undefined>;
  /** Why the last question had no answer; undefined where it had one. */
  readonly problem: Signal<ApiError | undefined>;
  /** Asks now. */
  refresh(): void;
  stop(): void;
}

export const POLL_MS = 3_000;

export function pollSessions(api: Api, isVisible: () => boolean): SessionPoll {
  const list = signal<SessionList | undefined>(undefined);
  const problem = signal<ApiError | undefined>(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let isStopped = false;
  const ask = async (): Promise<void> => {
    try {
      const answer = await api.sessions();
      if (isStopped) return;
      list.value = answer;
      problem.value = undefined;
    } catch (error) {
      if (!isStopped) problem.value = error instanceof ApiError ? error : new ApiError("internal", String(error));
    }
  };
  const refresh = async (): Promise<void> => {
    if (isStopped || isAsking) return;
    clearTimeout(timer);
    isAsking = true;
    // A page that nobody sees asks nothing; it does as soon as it is seen.
    if (isVisible()) await ask();
    isAsking = false;
    if (!isStopped) timer = setTimeout(() => void refresh(), POLL_MS);
  };
  void refresh();
  return {
    list,
    problem,
    refresh: () => void refresh(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
