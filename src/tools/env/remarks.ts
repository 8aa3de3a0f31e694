import type { DecodingReport, ExecResult, ProcessInfo } from "../../exec/index.js";

const MAX_NAMED_PROCESSES = 5;

type Outlived = Pick<ExecResult, "left" | "leftOutputPath" | "survivors">;

/** What the model has to know of processes that outlived their command. */
export function describeProcesses({ left, leftOutputPath, survivors }: Outlived): string[] {
  const remarks: string[] = [];
  if (left.length > 0) remarks.push(describeLeft(left, leftOutputPath));
  if (survivors.length > 0) remarks.push(`Could not be stopped: ${nameProcesses(survivors)}.`);
  return remarks;
}

/** What the model has to know of how the bytes of an output became its text. */
export function describeDecoding({ decoding }: Pick<ExecResult, "decoding">): string[] {
  if (decoding === undefined) return [];
  const { encoding, replaced, unknownLabel } = decoding;
  return [
    ...(unknownLabel === undefined
      ? []
      : [`No encoding ${JSON.stringify(unknownLabel)} can be read here: UTF-8 was taken.`]),
    ...(replaced ? [describeReplaced(encoding)] : []),
  ];
}

function describeReplaced(encoding: DecodingReport["encoding"]): string {
  const what = `Bytes that are no ${encoding.toUpperCase()} are shown as U+FFFD`;
  return encoding === "utf-8" ? `${what}; iconv makes UTF-8 of text in another encoding.` : `${what}.`;
}

/** They may end sooner, their file is made when they print, and a session that is closed at once ends them at once. */
function describeLeft(left: readonly ProcessInfo[], outputPath: string | undefined): string {
  const sentence = `Still running, until the session is closed at the latest: ${nameProcesses(left)}`;
  if (outputPath === undefined) return `${sentence}.`;
  return `${sentence}; what ${left.length === 1 ? "it prints" : "they print"} goes to ${outputPath}`;
}

function nameProcesses(processes: readonly ProcessInfo[]): string {
  const named = processes.slice(0, MAX_NAMED_PROCESSES).map(({ pid, command }) => `process ${pid} (${command})`);
  const others = processes.length - named.length;
  return others > 0 ? `${named.join(", ")} and ${others} more` : named.join(", ");
}
