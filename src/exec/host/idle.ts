import type { Clock } from "../clock.js";
import type { ExecHost } from "./exec-host.js";

export interface IdleOptions {
  readonly host: Pick<ExecHost, "isBusy">;
  readonly clock: Clock;
  /** Never, where absent. */
  readonly idleExitMs: number | undefined;
  /** Whether nobody can find the host any more. */
  readonly isLost: () => boolean;
  readonly onIdle: () => void;
}

const LONGEST_LOOK_MS = 15_000;
const SHORTEST_LOOK_MS = 100;

/** Looks again and again whether there is anything to do, and calls once there was nothing for long enough. */
export function watchIdle({ host, clock, idleExitMs, isLost, onIdle }: IdleOptions): { stop(): void } {
  const lookMs = Math.min(Math.max((idleExitMs ?? LONGEST_LOOK_MS) / 4, SHORTEST_LOOK_MS), LONGEST_LOOK_MS);
  let idleSince: number | undefined = clock.monotonic();
  let stopped = false;
  let timer = clock.after(lookMs, look);

  function look(): void {
    host
      .isBusy()
      .catch(() => true)
      .then((isBusy) => {
        if (stopped) return;
        idleSince = isBusy ? undefined : (idleSince ?? clock.monotonic());
        const idleMs = idleSince === undefined ? -1 : clock.monotonic() - idleSince;
        if (idleMs >= 0 && (idleMs >= (idleExitMs ?? Infinity) || isLost())) onIdle();
        else timer = clock.after(lookMs, look);
      })
      .catch(() => undefined);
  }

  return {
    stop() {
      stopped = true;
      timer.cancel();
    },
  };
}
