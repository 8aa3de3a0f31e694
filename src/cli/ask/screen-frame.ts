import stringWidth from "string-width";
import type { Clock } from "../../exec/index.js";
import type { ChatState, ChatToolRow } from "../../facet/index.js";
import { composeFrame } from "../output/frame.js";
import { NewLineReader } from "../output/new-lines.js";
import { openWindow } from "../output/window.js";
import { formatDuration } from "../report/units.js";
import type { Colours } from "../terminal/colours.js";
import { fitLine } from "../terminal/fit.js";
import { LineFitter } from "../terminal/line-fitter.js";
import { printableLine } from "../terminal/printable.js";
import type { TextOutput } from "../terminal/text-output.js";
import { headingOf } from "./call-text.js";
import { ANSWERS } from "./decision.js";
import type { LineEditor } from "./line-editor.js";
import type { PieceReader } from "./pieces.js";

export interface ScreenFrameOptions {
  readonly output: TextOutput;
  readonly reader: PieceReader;
  readonly clock: Clock;
  readonly colours: Colours;
  readonly editor: LineEditor | undefined;
  /** Whether one prompt follows the other. */
  readonly isOngoing: boolean;
  /** What can be typed where nothing runs, and where something does. Default that of whoever runs it. */
  readonly hints?: Hints;
}

export interface Hints {
  readonly idle: string;
  readonly busy: string;
}

const OWN_HINTS: Hints = { idle: "ask something; Ctrl-D ends", busy: "type to steer; Ctrl-C stops" };

/** Most rows of an answer's last line, and of what waits to join. */
const MAX_PENDING_ROWS = 8;
const MAX_QUEUE_ROWS = 3;
/** A heading, a line and the status: fewer say nothing. */
const MIN_CALL_ROWS = 3;
const clusters = new Intl.Segmenter();

/** What a call needs to be shown while it runs. */
interface CallProgress {
  readonly startedAt: number;
  readonly lines: NewLineReader;
  readonly fitter: LineFitter;
}

/** The rows of the live region of a conversation: what is under way, and the line that is typed. */
export class ScreenFrame {
  readonly #options: ScreenFrameOptions;
  readonly #calls = new Map<string, CallProgress>();
  #operation: { readonly id: string; readonly startedAt: number } | undefined;

  constructor(options: ScreenFrameOptions) {
    this.#options = options;
  }

  compose(state: ChatState | undefined): string[] {
    const { output } = this.#options;
    // One row is left to the text above, so that a frame never scrolls the terminal.
    const free = Math.max(1, output.rows - 1);
    const running = state?.operation?.state === "running" ? state : undefined;
    const footer = [...(running === undefined ? [] : this.#drawState(running)), ...this.#drawInput(running)].slice(
      -free,
    );
    const room = free - footer.length;
    const pending = running === undefined ? [] : this.#drawPending(running).slice(-Math.max(0, room));
    const calls = running === undefined ? [] : this.#drawCalls(running, room - pending.length);
    return [...(room > 0 ? pending : []), ...calls, ...footer];
  }

  /** The answer's last line as far as it goes. */
  #drawPending(state: ChatState): string[] {
    const { reader, output, colours } = this.#options;
    const pending = reader.pending(state);
    if (pending === undefined) return [];
    const rows = wrapLine(pending.text, output.columns).slice(-MAX_PENDING_ROWS);
    return pending.kind === "thought" ? rows.map((row) => colours.dim(row)) : rows;
  }

  #drawCalls(state: ChatState, room: number): string[] {
    const open = state.rows.filter((row) => row.type === "tool" && row.state === "running");
    const calls = open.filter((row) => row.type === "tool");
    for (const id of this.#calls.keys()) if (!calls.some(({ toolCallId }) => toolCallId === id)) this.#calls.delete(id);
    const shown = calls.slice(0, Math.max(0, Math.floor(room / MIN_CALL_ROWS)));
    const share = Math.floor(room / Math.max(1, shown.length));
    return shown.flatMap((row) => this.#drawCall(row, share));
  }

  #drawCall(row: ChatToolRow, rows: number): string[] {
    const { clock, colours, output } = this.#options;
    const { columns } = output;
    const call = this.#calls.get(row.toolCallId) ?? {
      startedAt: clock.monotonic(),
      lines: new NewLineReader("tail"),
      fitter: new LineFitter(),
    };
    this.#calls.set(row.toolCallId, call);
    const window = row.output === undefined ? undefined : openWindow(row.output, false);
    if (window !== undefined) call.lines.next(window);
    const elapsedMs = clock.monotonic() - call.startedAt;
    const { fitter, lines: seen } = call;
    // The frame of one call leaves a row for the line above it, which is the heading here.
    const frame = composeFrame({ window, seen, elapsedMs, columns, rows, colours, fitter });
    return [colours.cyan(headingOf(row, columns)), ...frame];
  }

  /** What is waited for: the model, or someone's word; and what is to join. */
  #drawState(state: ChatState): string[] {
    const { colours, output, clock } = this.#options;
    const { columns } = output;
    const { operation, queue = [] } = state;
    const now = clock.monotonic();
    const id = operation?.id ?? "";
    if (this.#operation?.id !== id) this.#operation = { id, startedAt: now };
    const said = queue
      .slice(-MAX_QUEUE_ROWS)
      .map(({ text }) => colours.dim(fitLine(`› ${printableLine(text)}`, columns)));
    const asked = state.rows.find((row) => row.type === "tool" && row.pendingApproval !== undefined);
    const retry = operation?.retry;
    const why = retry === undefined ? "" : ` · the model is asked again: ${printableLine(retry.reason)}`;
    const status = `… ${formatDuration(now - this.#operation.startedAt)}${why}`;
    return [
      ...said,
      ...(asked?.type === "tool" ? [colours.yellow(fitLine(`allow ${headingOf(asked, columns)}`, columns))] : []),
      colours.dim(fitLine(status, columns)),
    ];
  }

  #drawInput(running: ChatState | undefined): string[] {
    const { editor, output, colours, isOngoing, hints = OWN_HINTS } = this.#options;
    if (editor === undefined || (running === undefined && !isOngoing)) return [];
    const isAsked = running?.rows.some((row) => row.type === "tool" && row.pendingApproval !== undefined) ?? false;
    const hint = isAsked ? ANSWERS : running === undefined ? hints.idle : hints.busy;
    return [editor.draw("› ", hint, output.columns, colours)];
  }
}

/** A line in rows of so many columns; of one that is very long the end alone. */
function wrapLine(line: string, columns: number): string[] {
  const width = Math.max(1, columns);
  const skipped = Math.max(0, Math.floor(line.length / width) - 4 * MAX_PENDING_ROWS) * width;
  const rows = [""];
  let used = 0;
  for (const { segment } of clusters.segment(printableLine(line.slice(skipped)))) {
    const size = stringWidth(segment);
    if (used + size > width) {
      rows.push("");
      used = 0;
    }
    rows[rows.length - 1] += segment;
    used += size;
  }
  return rows;
}
