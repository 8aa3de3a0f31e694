import type { TableProcess } from "./process-table.js";
import type { Tree } from "./tree.js";

/**
 * Which processes belong to a tree: those that carry its marker, those of its shell's group and session, those that
 * hold one of its pipes, and whatever descends from any of them. A marker alone misses programs that were started with
 * an empty environment or that write over their own.
 */
export function membersOf(tree: Tree, processes: readonly TableProcess[]): readonly TableProcess[] {
  const { shell } = tree;
  const pipes = tree.openPipes?.() ?? new Set();
  const members = new Set(processes.filter((process) => process.markers().includes(tree.marker)));
  if (shell !== undefined) {
    const led = processes.filter((process) => process.group === shell.pid || process.session === shell.pid);
    if (isLedByShell(led, members, shell)) for (const process of led) members.add(process);
  }
  if (pipes.size > 0) {
    for (const process of processes) if (!members.has(process) && process.holds(pipes)) members.add(process);
  }
  addDescendants(members, processes);
  return [...members];
}

/** Members less those of a sandbox itself, of which one waits outside and one is the first inside: both end with the others. */
export function commandsAmong(members: readonly TableProcess[], { shell }: Tree): readonly TableProcess[] {
  if (shell?.isSandbox !== true) return members;
  return members.filter((process) => process.pid !== shell.pid && !process.isFirst());
}

/**
 * Whether a group or session with the shell's id is still the shell's. Once the shell was collected and its last
 * companion has ended, the system may give the id to somebody else, whom nobody here may touch.
 */
function isLedByShell(
  led: readonly TableProcess[],
  marked: ReadonlySet<TableProcess>,
  shell: NonNullable<Tree["shell"]>,
): boolean {
  const { reaped } = shell;
  if (reaped === undefined) return true;
  return led.some(
    (process) => marked.has(process) || (process.started !== undefined && process.started <= reaped && reaped > 0),
  );
}

function addDescendants(members: Set<TableProcess>, processes: readonly TableProcess[]): void {
  const pids = new Set([...members].map((process) => process.pid));
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const process of processes) {
      if (members.has(process) || !pids.has(process.parent)) continue;
      members.add(process);
      pids.add(process.pid);
    }
  }
}
