import type { ExecResult, ProcessInfo } from "../../exec/index.js";

const MAX_NAMED_PROCESSES = 5;

/** What the model has to know of processes that outlived their command. */
export function describeProcesses({ left, survivors }: Pick<ExecResult, "left" | "survivors">): string[] {
  const remarks: string[] = [];
  if (left.length > 0) remarks.push(`Left running: ${nameProcesses(left)}.`);
  if (survivors.length > 0) remarks.push(`Could not be stopped: ${nameProcesses(survivors)}.`);
  return remarks;
}

function nameProcesses(processes: readonly ProcessInfo[]): string {
  const named = processes.slice(0, MAX_NAMED_PROCESSES).map(({ pid, command }) => `process ${pid} (${command})`);
  const others = processes.length - named.length;
  return others > 0 ? `${named.join(", ")} and ${others} more` : named.join(", ");
}
