import type { ExecResult, ProcessInfo } from "../../exec/index.js";

const MAX_NAMED_PROCESSES = 5;

type Outlived = Pick<ExecResult, "left" | "leftOutputPath" | "survivors">;

/** What the model has to know of processes that outlived their command. */
export function describeProcesses({ left, leftOutputPath, survivors }: Outlived): string[] {
  const remarks: string[] = [];
  if (left.length > 0) {
    const where = leftOutputPath === undefined ? "" : ` What they print goes to ${leftOutputPath}`;
    remarks.push(`Left running: ${nameProcesses(left)}.${where}`);
  }
  if (survivors.length > 0) remarks.push(`Could not be stopped: ${nameProcesses(survivors)}.`);
  return remarks;
}

function nameProcesses(processes: readonly ProcessInfo[]): string {
  const named = processes.slice(0, MAX_NAMED_PROCESSES).map(({ pid, command }) => `process ${pid} (${command})`);
  const others = processes.length - named.length;
  return others > 0 ? `${named.join(", ")} and ${others} more` : named.join(", ");
}
