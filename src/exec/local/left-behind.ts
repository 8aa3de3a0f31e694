import type { ProcessInfo } from "../contract.js";
import type { CaptureResult, OutputCapture } from "../output/capture.js";
import { createAfterOutput } from "./after-output.js";
import { createFollowers } from "./followers.js";
import type { Followers } from "./followers.js";
import type { LocalParts } from "./parts.js";
import type { OutputPump } from "./pipes/output-pump.js";
import { createPacedSink } from "./pipes/paced-sink.js";
import type { TableProcess } from "./processes/process-table.js";
import { commandsAmong } from "./processes/members.js";
import { findMembers, stopTree } from "./processes/stop-tree.js";
import type { Tree } from "./processes/tree.js";

/**
 * Processes that go on after the call that started them. Their output has a capture and a file of its own, so that
 * nothing is added to the call any more and nobody writes to a pipe that is not read.
 */
export interface LeftBehind {
  readonly capture: OutputCapture;
  readonly followers: Followers;
  /** Whether nothing is left any more. */
  readonly over: boolean;
  /** When nothing is left: what became of the output. Never rejects for the processes' sake. */
  readonly ended: Promise<CaptureResult>;
  /** Looks who still lives; ends when that is nobody. */
  refresh(): Promise<readonly TableProcess[]>;
  /** Looks again and again until the function it gives is called. */
  watch(): () => void;
  /** Stops all of them, gives up their pipes, and tells who could not be stopped. */
  stop(): Promise<readonly ProcessInfo[]>;
}

export interface LeftBehindInput {
  readonly tree: Tree;
  readonly pump: OutputPump;
  /** Absent where the env has no folder for it; the output is then bounded and lost. */
  readonly path: string | undefined;
  readonly maxBytes: number;
  readonly encoding: string | undefined;
}

const WATCH_MS = 250;

export function followLeftBehind(input: LeftBehindInput, parts: LocalParts): LeftBehind {
  const { tree, pump, ...file } = input;
  const { clock, control, registry } = parts;
  const followers = createFollowers();
  const capture = createAfterOutput({
    ...file,
    budget: parts.spillBudget,
    secrets: parts.environment.secrets,
    clock,
    onUpdate: (update) => followers.publish(update),
    onDrain: () => sink.drained(),
    onSpillFull: () => parts.onSpillFull(tree.executionId),
  });
  const sink = createPacedSink(capture, pump, clock, () => {
    refresh().catch(() => undefined);
  });
  let over = false;
  let settle: (result: Promise<CaptureResult>) => void;
  const ended = new Promise<CaptureResult>((resolve) => {
    settle = resolve;
  });

  function end(): void {
    if (over) return;
    over = true;
    pump.close();
    registry.release(tree);
    sink.end(0);
    sink.end(1);
    settle(capture.settle());
  }

  async function refresh(): Promise<readonly TableProcess[]> {
    if (over) return [];
    const members = commandsAmong(await findMembers(tree, control.table), tree);
    if (members.length === 0 && !pump.open) end();
    return members;
  }

  async function stop(): Promise<readonly ProcessInfo[]> {
    const release = parts.holdProcess();
    try {
      const survivors = await stopTree(tree, control);
      // What they said at their end.
      await pump.finish();
      return survivors;
    } finally {
      end();
      await ended;
      release();
    }
  }

  function watch(): () => void {
    let timer = clock.after(WATCH_MS, look);
    function look(): void {
      timer = clock.after(WATCH_MS, look);
      refresh().catch(() => undefined);
    }
    return () => timer.cancel();
  }

  pump.redirect(sink);
  return {
    capture,
    followers,
    ended,
    refresh,
    watch,
    stop,
    get over() {
      return over;
    },
  };
}
