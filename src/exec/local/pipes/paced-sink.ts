import type { Clock } from "../../clock.js";
import type { Pipe } from "../../output/capture.js";
import type { OutputPump, PumpSink } from "./output-pump.js";

export interface PacedSink extends PumpSink {
  /** The sink behind it has room again. */
  drained(): void;
}

/** How much of a flood is read in one turn: 10 MiB/s at most are spent on output that nobody waits for. */
const BYTES_PER_TURN = 1_048_576;
const TURN_MS = 100;

/** Puts another sink behind a pump at a limited rate. `bothEnded` is told when the pipes have ended. */
export function createPacedSink(
  target: PumpSink,
  pump: Pick<OutputPump, "drained">,
  clock: Clock,
  bothEnded: () => void,
): PacedSink {
  const ended = new Set<Pipe>();
  let bytesLeft = BYTES_PER_TURN;
  let full = false;
  let turn: { cancel(): void } | undefined;

  function beginTurn(): void {
    turn = undefined;
    bytesLeft = BYTES_PER_TURN;
    if (!full) pump.drained();
  }

  return {
    push(pipe, bytes) {
      if (ended.has(pipe)) return true;
      if (!target.push(pipe, bytes)) full = true;
      bytesLeft -= bytes.length;
      if (bytesLeft <= 0) turn ??= clock.after(TURN_MS, beginTurn);
      return !full && bytesLeft > 0;
    },
    end(pipe) {
      if (ended.has(pipe)) return;
      ended.add(pipe);
      target.end(pipe);
      if (ended.size < 2) return;
      turn?.cancel();
      bothEnded();
    },
    drained() {
      full = false;
      if (bytesLeft > 0) pump.drained();
    },
  };
}
