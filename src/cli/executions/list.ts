import type { OwnedExecution } from "../../exec/index.js";
import type { CliContext } from "../context.js";
import { formatDuration } from "../report/units.js";
import { withRunningHost } from "../session/running-host.js";
import { coloursFor } from "../terminal/colours.js";
import { fitLine } from "../terminal/fit.js";
import { printableLine } from "../terminal/printable.js";
import { openTextOutput } from "../terminal/text-output.js";

/** Lists what the exec host runs, keeps, or has results of, the oldest first. */
export async function listExecutions({ asJson }: { readonly asJson: boolean }, context: CliContext): Promise<void> {
  const found = await withRunningHost(context, async (host) => (await host?.listAll()) ?? []);
  const executions = [...found].sort((a, b) => a.startedAt - b.startedAt);
  const output = openTextOutput(context.stdout);
  if (asJson) {
    for (const { owner, ...info } of executions) {
      output.write(`${JSON.stringify({ type: "execution", session: owner, ...info })}\n`);
    }
    return output.idle();
  }
  const columns = output.isTerminal ? output.columns : Infinity;
  const [head = "", ...rows] = drawRows(executions, context.clock.now(), columns);
  if (rows.length === 0) {
    const errors = openTextOutput(context.stderr);
    errors.write("Nothing runs in an exec host.\n");
    return errors.idle();
  }
  output.write(`${coloursFor(output, context.environment).dim(head)}\n`);
  for (const row of rows) output.write(`${row}\n`);
  await output.idle();
}

const HEAD = ["EXECUTION", "SESSION", "STATE", "SINCE", "PIDS", "COMMAND"] as const;
/** Processes that are named; of more, their number. */
const MAX_PIDS = 3;

/** A head and a row for each, in columns as wide as they need to be; the command has what is left. */
function drawRows(executions: readonly OwnedExecution[], now: number, columns: number): string[] {
  const rows = executions.map(({ executionId, owner, state, startedAt, pids, command }) => [
    executionId,
    owner,
    state,
    formatDuration(now - startedAt),
    pids.length > MAX_PIDS ? `${pids.length} processes` : pids.join(","),
    printableLine(command.split("\n")[0] ?? ""),
  ]);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => (row[column] ?? "").length)));
  return [[...HEAD], ...rows].map((row) => {
    const before = row.slice(0, -1).map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const line = [...before, row.at(-1) ?? ""].join("  ");
    return columns === Infinity ? line.trimEnd() : fitLine(line, columns).trimEnd();
  });
}
