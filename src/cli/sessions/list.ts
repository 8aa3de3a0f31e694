import type { CliContext } from "../context.js";
import { formatBytes, formatTime } from "../report/units.js";
import { openStore } from "../session/store.js";
import { coloursFor } from "../terminal/colours.js";
import type { Colours } from "../terminal/colours.js";
import { fitLine } from "../terminal/fit.js";
import { printableLine } from "../terminal/printable.js";
import { openTextOutput } from "../terminal/text-output.js";
import { summarizeAll } from "./summary.js";
import type { SessionState, SessionSummary } from "./summary.js";

export interface ListRequest {
  /** Most sessions that are listed. */
  readonly limit: number;
  readonly asJson: boolean;
}

/** Lists the sessions on standard output, the one that was used last first. */
export async function listSessions({ limit, asJson }: ListRequest, context: CliContext): Promise<void> {
  const store = openStore(context);
  const all = await summarizeAll(store);
  const shown = all.slice(0, limit);
  const output = openTextOutput(context.stdout);
  if (asJson) {
    for (const summary of shown) output.write(`${JSON.stringify({ type: "session", ...summary })}\n`);
    return output.idle();
  }
  const colours = coloursFor(output, context.environment);
  const columns = output.isTerminal ? output.columns : Infinity;
  for (const line of drawTable(shown, colours, columns)) output.write(`${line}\n`);
  await output.idle();
  const errors = openTextOutput(context.stderr);
  if (all.length === 0) errors.write(`No sessions in ${store.places.sessions}. Begin one: spillway run -- make -j8\n`);
  if (all.length > shown.length) errors.write(`${all.length - shown.length} more; list them with --all.\n`);
  await errors.idle();
}

const STATE_WIDTH = 11;
const TIME_WIDTH = 16;
const SIZE_WIDTH = 8;

function drawTable(summaries: readonly SessionSummary[], colours: Colours, columns: number): string[] {
  if (summaries.length === 0) return [];
  const idWidth = Math.max(7, ...summaries.map(({ session }) => session.length));
  const row = (cells: readonly [string, string, string, string, string], paint = (state: string) => state): string => {
    const [id, state, time, size, prompt] = cells;
    const before = `${id.padEnd(idWidth)}  `;
    const after = `  ${time.padEnd(TIME_WIDTH)}  ${size.padStart(SIZE_WIDTH)}  `;
    const room = columns - before.length - STATE_WIDTH - after.length;
    const shown = room === Infinity ? prompt : room > 0 ? fitLine(prompt, room) : "";
    return `${before}${paint(state.padEnd(STATE_WIDTH))}${after}${shown}`.trimEnd();
  };
  return [
    colours.dim(row(["SESSION", "STATE", "LAST USED", "SIZE", "PROMPT"])),
    ...summaries.map((summary) =>
      row(
        [
          summary.session,
          stateOf(summary),
          formatTime(summary.endedAt ?? summary.startedAt),
          formatBytes(summary.mainBytes + summary.sidecarBytes),
          describePrompt(summary),
        ],
        (state) => paintState(stateOf(summary), state, colours),
      ),
    ),
  ];
}

/** An operation is completed when its command failed: people who look for that look here. */
function stateOf({ state, call }: SessionSummary): SessionState {
  return state === "completed" && call === "failed" ? "failed" : state;
}

function describePrompt({ prompt, problem }: SessionSummary): string {
  if (problem !== undefined) return printableLine(problem.message);
  const [first = "", ...more] = (prompt ?? "").split("\n");
  return printableLine(more.length === 0 ? first : `${first} …`);
}

export function paintState(state: SessionState, text: string, colours: Colours): string {
  if (state === "running") return colours.cyan(text);
  if (state === "completed") return colours.green(text);
  return state === "empty" ? colours.dim(text) : colours.yellow(text);
}
