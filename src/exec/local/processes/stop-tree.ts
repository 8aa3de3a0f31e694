import type { Clock } from "../../clock.js";
import type { ProcessInfo } from "../../contract.js";
import { membersOf } from "./members.js";
import type { ProcessTable, TableProcess } from "./process-table.js";
import type { Tree } from "./tree.js";

/** What a stop needs of the system. */
export interface ProcessControl {
  readonly table: ProcessTable;
  /** As `process.kill`: a negative id is a group. */
  readonly kill: (pid: number, signal: NodeJS.Signals) => void;
  readonly clock: Clock;
}

/** How long processes have to end by themselves once they were asked. */
export const TERM_GRACE_MS = 2_000;
/** How long those are killed again and again that turn up anew or do not go. */
export const KILL_EFFORT_MS = 1_500;
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 100;

/** Ends every process of a tree and tells who could not be ended. A tree of which nothing is left costs one look. */
export async function stopTree(tree: Tree, control: ProcessControl): Promise<readonly ProcessInfo[]> {
  const first = await findMembers(tree, control.table);
  if (first.length === 0) return [];
  signalAll(tree, first, "SIGTERM", control);
  // A stopped process takes the request only when it goes on.
  signalAll(tree, first, "SIGCONT", control);
  await waitUntilGone(tree, control, TERM_GRACE_MS);
  const survivors = await waitUntilGone(tree, control, KILL_EFFORT_MS, (members) =>
    signalAll(tree, members, "SIGKILL", control),
  );
  return survivors.map((process) => process.describe());
}

/** The live processes of a tree. */
export async function findMembers(
  tree: Tree,
  table: ProcessTable,
  newerThan?: number,
): Promise<readonly TableProcess[]> {
  return membersOf(tree, await table.list({ since: tree.shell?.started ?? 0, newerThan }));
}

/** The processes that are left after at most `limitMs`. `beforePause` is given those that are, each time they are not none. */
export async function waitUntilGone(
  tree: Tree,
  control: Pick<ProcessControl, "table" | "clock">,
  limitMs: number,
  beforePause: (members: readonly TableProcess[]) => void = () => undefined,
): Promise<readonly TableProcess[]> {
  const deadline = control.clock.monotonic() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const members = await findMembers(tree, control.table);
    const left = deadline - control.clock.monotonic();
    if (members.length === 0 || left <= 0) return members;
    beforePause(members);
    await pause(control.clock, Math.min(pauseMs, left));
  }
}

function signalAll(
  tree: Tree,
  members: readonly TableProcess[],
  signal: NodeJS.Signals,
  { kill }: ProcessControl,
): void {
  const group = tree.shell?.pid;
  // Whoever waits for the shell of a sandbox tells how that ended.
  const spared = tree.shell?.isSandbox === true && signal !== "SIGKILL";
  // The group in one call, so that nobody in it can fork a new member between two single ones.
  if (group !== undefined && !spared && members.some((process) => process.group === group)) {
    sendSignal(kill, -group, signal);
  }
  for (const process of members) if (process.group !== group) sendSignal(kill, process.pid, signal);
}

/** Does nothing to a process that is gone or is somebody else's. */
export function sendSignal(kill: ProcessControl["kill"], pid: number, signal: NodeJS.Signals): void {
  try {
    kill(pid, signal);
  } catch {
    // The next look at the table tells which.
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
